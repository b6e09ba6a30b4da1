import { DomainError } from "../errors";
import { log } from "../log";
import { ranks, Turns, type Bounds, type Caller, type Rank } from "../turns";
import { Worker } from "./worker";
import { Offenders } from "./offenders";
import { WorkerEnded } from "./worker-ended";

export interface PoolOptions {
  /** The bundled module that the processes run; it calls serveJobs(). */
  entry: string;
  /** The heap limit of one process. */
  memoryMb: number;
  /** How long one job may take. */
  jobMs: number;
  /** How long a process may be idle before it is ended. */
  idleMs: number;
  /** `atOnce` is the number of processes. */
  turns: Bounds;
}

/** The caller of a job. */
export interface Client {
  /** Callers take turns. */
  caller: Caller;
  /** Callers who have not signed in come after those who have. */
  isAnonymous?: boolean;
  /** For the log, if a job is killed. */
  requestId?: string;
}

/**
 * Does jobs in worker processes, so that a job that takes much time or memory does not harm other work (decision 305).
 * A process whose job reaches its limits is ended, and the next job gets a new one. Processes are started on demand.
 */
export class WorkerPool<Job, Result> {
  readonly ended = { time: 0, crash: 0 };
  private readonly turns: Turns;
  private readonly offenders = new Offenders();
  /** Processes without a job, the most recently used last. */
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: PoolOptions) {
    this.turns = new Turns(options.turns);
  }

  get counts(): { active: number; waiting: number; processes: number } {
    return { ...this.turns.counts, processes: this.all.size };
  }

  /**
   * Waits for the caller's turn and does the job. A caller whose job was killed comes last for a while.
   *
   * @param job the job, or a function that builds it when its turn has come, for a job that takes memory
   * @throws WorkerEnded if the job did not end within its limits; DomainError rate_limited, unavailable
   */
  run(client: Client, job: Job | (() => Promise<Job>)): Promise<Result> {
    const rank = (): Rank => {
      if (this.offenders.has(client.caller)) return ranks.last;
      return client.isAnonymous ? ranks.behind : ranks.first;
    };
    const work = async () => this.work(client, typeof job === "function" ? await (job as () => Promise<Job>)() : job);
    return this.turns.take(client.caller, work, rank);
  }

  /** Ends all processes at once, including busy ones. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.idle.length = 0;
    await Promise.all([...this.all].map((worker) => this.discard(worker)));
  }

  private async work({ caller, requestId }: Client, job: Job): Promise<Result> {
    clearTimeout(this.timer);
    const worker = await this.take();
    try {
      return (await worker.run(job, this.options.jobMs)) as Result;
    } catch (error) {
      if (!(error instanceof WorkerEnded)) throw error;
      this.ended[error.because]++;
      this.offenders.add(caller);
      log().warn(
        { entry: this.options.entry, because: error.because, caller, requestId },
        `a job was ended: ${error.message}`,
      );
      throw error;
    } finally {
      if (worker.isAlive && this.all.has(worker)) this.idle.push(worker);
      else await this.discard(worker);
      this.endIdleLater();
    }
  }

  /** Takes an idle process or starts one. @throws DomainError unavailable if no process can be started */
  private async take(): Promise<Worker> {
    for (let worker = this.idle.pop(); worker; worker = this.idle.pop()) {
      if (worker.isAlive) return worker;
      this.all.delete(worker);
    }
    let worker: Worker | undefined;
    try {
      worker = new Worker(this.options.entry, this.options.memoryMb);
      this.all.add(worker);
      await worker.started;
      return worker;
    } catch (error) {
      if (worker) await this.discard(worker);
      log().error({ err: error, entry: this.options.entry }, "a worker process could not be started");
      throw new DomainError("unavailable", "This server cannot do that at the moment. Try again shortly.", {
        headers: { "retry-after": "5" },
      });
    }
  }

  private discard(worker: Worker): Promise<void> {
    this.all.delete(worker);
    return worker.end();
  }

  private endIdleLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const worker of this.idle.splice(0)) void this.discard(worker);
    }, this.options.idleMs).unref();
  }
}
