import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { FromWorker } from "./messages";
import { WorkerEnded } from "./worker-ended";

/** The time limit of a start. Loading the code of the jobs takes half a second, and several on a busy machine. */
const startMs = 30_000;

/** A process that does one job at a time. It gets no environment, connection or secret of this process. */
export class Worker {
  /** Resolves when the process accepts jobs. Rejects with WorkerEnded if it never will. */
  readonly started: Promise<unknown>;
  private readonly child: ChildProcess;
  private isGone = false;

  /** @param entry a bundled module that calls serveJobs() */
  constructor(entry: string, memoryMb: number) {
    this.child = fork(entry, [], {
      // Next's types require NODE_ENV.
      env: { NODE_ENV: "production" },
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.child.once("exit", () => (this.isGone = true)).once("error", () => (this.isGone = true));
    this.started = this.message(startMs);
    // Avoids an unhandled rejection; the caller that gives it a job awaits `started` itself.
    this.started.catch(() => undefined);
  }

  get isAlive(): boolean {
    return !this.isGone;
  }

  /**
   * Does a job. A process that does not answer within `ms` is ended.
   * @throws WorkerEnded; Error if the job threw
   */
  async run(job: unknown, ms: number): Promise<unknown> {
    this.child.ref();
    this.child.channel?.ref();
    const answer = this.message(ms);
    // If sending fails, the process has ended, which rejects `answer`.
    this.child.send(job as object, () => undefined);
    const message = await answer;
    // An idle worker process must not keep this process alive.
    this.child.unref();
    this.child.channel?.unref();
    if ("fault" in message) throw new Error(`A job failed in its process: ${message.fault}`);
    return "result" in message ? message.result : undefined;
  }

  /** Kills the process. Resolves when it has ended. */
  async end(): Promise<void> {
    if (this.isGone) return;
    const gone = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await gone;
  }

  /** Waits for the next message. @throws WorkerEnded if the process ends first, or sends none within `ms` */
  private message(ms: number): Promise<FromWorker> {
    const { child } = this;
    let isLate = false;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        isLate = true;
        child.kill("SIGKILL");
      }, ms);
      const settle = (then: () => void) => () => {
        clearTimeout(timer);
        child.off("message", onMessage).off("exit", onExit).off("error", onError);
        then();
      };
      const onMessage = (message: unknown) => settle(() => resolve(message as FromWorker))();
      const onExit = settle(() =>
        reject(
          isLate
            ? new WorkerEnded("time", `It did not answer within ${ms} ms.`)
            : new WorkerEnded("crash", `Its process ended with ${child.signalCode ?? child.exitCode}.`),
        ),
      );
      const onError = (error: Error) => settle(() => reject(new WorkerEnded("crash", error.message)))();
      child.once("message", onMessage).once("exit", onExit).once("error", onError);
      if (this.isGone) onExit();
    });
  }
}
