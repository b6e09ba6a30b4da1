import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { withTimeout } from "@/server/core/within";
import type { ClaimedRun, Room } from "./claim";
import type { ServeHandler } from "./configuration";
import type { Driver } from "./driver";
import { call, type CallResult, type Call } from "./protocol";
import type { Registry } from "./registry";
import { drive } from "./run";
import { ClaimLost, extendLeases, lapse, release } from "./run-outcomes";
import type { Store } from "./store";

export interface WorkersOptions {
  store: Store;
  registry: Registry;
  handler: ServeHandler;
  log: Logger;
  /**
   * Maximum number of runs of one function at a time in this process. The limit is per function, so that a function
   * that hangs does not delay the others.
   */
  width: number;
  leaseMs: number;
  /** A call that takes longer counts as a failed attempt, in ms. */
  callMs: number;
}

const giveBackMs = 1000;

/** The runs that this process holds. */
export class Workers {
  private readonly held = new Map<string, { run: ClaimedRun; done: Promise<void> }>();
  private readonly driver: Driver;
  private closed = false;

  constructor(private readonly options: WorkersOptions) {
    const { store } = options;
    this.driver = {
      store,
      now: () => store.now() ?? new Date(),
      stopping: () => this.closed,
      call: (c) => this.call(c),
    };
  }

  /** Returns how many runs of each function may be claimed. */
  rooms(): Room[] {
    const { registry, width } = this.options;
    const running = new Map<string, number>();
    for (const { functionId } of this.runs()) running.set(functionId, (running.get(functionId) ?? 0) + 1);
    return [...registry.values()]
      .map(({ id, concurrency }) => ({ id, free: width - (running.get(id) ?? 0), limit: concurrency?.limit ?? null }))
      .filter(({ free }) => free > 0);
  }

  /** Drives a claimed run to its end or its next wait, then calls `done`. */
  take(run: ClaimedRun, done: () => void): void {
    const driven = this.drive(run).finally(() => {
      this.held.delete(run.id);
      done();
    });
    this.held.set(run.id, { run, done: driven });
  }

  async extendLeases(): Promise<void> {
    if (this.held.size > 0) await extendLeases(this.options.store, this.runs(), this.options.leaseMs);
  }

  /** Stops calling functions: runs are given back between two calls. */
  close(): void {
    this.closed = true;
  }

  /** Waits for the calls in progress, for `drainMs` at most, and gives back the remaining runs. */
  async drain(drainMs: number): Promise<void> {
    await withTimeout(drainMs, Promise.all([...this.held.values()].map((h) => h.done)));
    if (this.held.size === 0) return;
    await release(this.options.store, this.runs()).catch((error: unknown) => {
      this.options.log.warn(
        { err: error, runs: this.held.size },
        "runs could not be given back; they wait for their leases to end",
      );
    });
  }

  private runs(): ClaimedRun[] {
    return [...this.held.values()].map((h) => h.run);
  }

  private async drive(run: ClaimedRun): Promise<void> {
    const { registry, log } = this.options;
    try {
      await drive(this.driver, registry.get(run.functionId)!, run);
    } catch (error) {
      if (error instanceof ClaimLost) return log.warn({ runId: run.id, functionId: run.functionId }, error.message);
      log.error({ err: error, runId: run.id, functionId: run.functionId }, "a run could not be driven");
      await this.giveBack(run);
    }
  }

  /**
   * Gives back a run whose state could not be written, so that it is driven again before its lease runs out. Retries
   * every second until the write succeeds (decision 073).
   */
  private async giveBack(run: ClaimedRun): Promise<void> {
    for (let given = false; !given && !this.closed; ) {
      await pause(giveBackMs, undefined, { ref: false });
      given = await lapse(this.options.store, run).then(
        () => true,
        () => false,
      );
    }
  }

  /** Calls a function. A call that throws or takes too long counts as a failed attempt. */
  private async call(c: Call): Promise<CallResult> {
    const { handler, callMs } = this.options;
    try {
      const answer = await withTimeout(callMs, call(handler, c));
      return (
        answer ?? {
          kind: "retry",
          error: { name: "TimeoutError", message: `No answer within ${callMs} ms.` },
          retryAfter: null,
        }
      );
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      return { kind: "retry", error: { name, message }, retryAfter: null };
    }
  }
}
