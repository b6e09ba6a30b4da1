import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { FromWorker } from "./messages";
import { WorkerEnded } from "./worker-ended";

/** Loading the code of a job takes half a second, and several where the machine is busy. */
const startMs = 30_000;

/** A process that does one job at a time. It has nothing of this process: no environment, no connection, no secret. */
export class Worker {
  /** Resolves when it takes jobs. Rejects with WorkerEnded where it never will. */
  readonly started: Promise<unknown>;
  private readonly child: ChildProcess;
  private isGone = false;

  /** @param entry a bundled module that calls serveJobs() */
  constructor(entry: string, memoryMb: number) {
    this.child = fork(entry, [], {
      // Next's types demand this one.
      env: { NODE_ENV: "production" },
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.child.once("exit", () => (this.isGone = true)).once("error", () => (this.isGone = true));
    this.started = this.message(startMs);
    // Whoever gives it a job asks.
    this.started.catch(() => undefined);
  }

  get isAlive(): boolean {
    return !this.isGone;
  }

  /**
   * Has a job done. A process that does not answer within `ms` is ended.
   * @throws WorkerEnded; the fault of the job
   */
  async run(job: unknown, ms: number): Promise<unknown> {
    this.child.ref();
    this.child.channel?.ref();
    const answer = this.message(ms);
    // Where it cannot be sent, the process has ended, which is an answer too.
    this.child.send(job as object, () => undefined);
    const message = await answer;
    // One without a job does not keep this process from ending.
    this.child.unref();
    this.child.channel?.unref();
    if ("fault" in message) throw new Error(`A job failed in its process: ${message.fault}`);
    return "result" in message ? message.result : undefined;
  }

  /** Ends the process at once. Resolves when it is gone. */
  async end(): Promise<void> {
    if (this.isGone) return;
    const gone = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await gone;
  }

  /** The next message. @throws WorkerEnded where the process is gone before, or does not send one within `ms` */
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
