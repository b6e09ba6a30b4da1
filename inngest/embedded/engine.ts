import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { claimDue } from "./claim";
import { enqueue } from "./enqueue";
import { purge, readStatus, type QueueStatus } from "./housekeeping";
import { takeEvents } from "./intake";
import type { Registry } from "./registry";
import { Scheduler } from "./scheduler";
import type { Store } from "./store";
import { Wakeups } from "./wakeups";
import type { Workers } from "./workers";

export interface EngineOptions {
  store: Store;
  registry: Registry;
  workers: Workers;
  signals: ReadonlySet<string>;
  log: Logger;
  /** How long a claimed run stays leased unless its process extends the lease, in ms. */
  leaseMs: number;
  /** Longest pause between two polls, in ms: a lost notification delays a run by this at most. */
  pollMs: number;
  /** How long stop() waits for running runs, in ms. */
  drainMs: number;
  purgeMs: number;
}

/**
 * Claims due runs and passes them to the workers. It wakes on events sent in this process, on notifications of other
 * engines, when the next run or tick is due, and on a poll.
 */
export class EmbeddedEngine {
  private readonly id = randomUUID();
  private readonly scheduler: Scheduler;
  private readonly wakeups: Wakeups;
  private looking: Promise<void> | undefined;
  private again = false;
  private stopped: Promise<void> | undefined;
  private lookedAt = -Infinity;
  private rest: NodeJS.Timeout | undefined;
  private upkeep: NodeJS.Timeout[] = [];

  constructor(private readonly options: EngineOptions) {
    const { store, registry, log } = options;
    this.scheduler = new Scheduler(store, registry);
    this.wakeups = new Wakeups(store.durable.options, this.id, log, () => this.wake());
  }

  async start(): Promise<void> {
    const { store, workers, leaseMs, purgeMs } = this.options;
    await this.scheduler.start();
    await this.wakeups.start();
    this.repeat(leaseMs / 3, () => workers.extendLeases());
    this.repeat(purgeMs, () => purge(store));
    this.wake();
    await this.looking;
  }

  /** Replaces `fetch` in the SDK's client: queues the events that the client sends. */
  readonly fetch: typeof fetch = (input, init) => {
    const { store, registry, signals } = this.options;
    return takeEvents(new Request(input, init), async (events) => {
      await enqueue(store, registry, signals, events, this.id);
      this.wake();
    });
  };

  /** Polls for due work now. Any number of calls during a poll cause one further poll. */
  wake(): void {
    this.again = true;
    if (this.stopped || this.looking) return;
    this.looking = this.poll().finally(() => {
      this.looking = undefined;
      if (this.again) this.wake();
    });
  }

  /** Waits for running runs to end, for `drainMs` at most, and gives back the rest. */
  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  /**
   * Returns the queue's figures. `ready` is false after ten poll intervals without a successful poll, i.e. when the
   * database cannot be reached.
   */
  async status(): Promise<QueueStatus & { mode: "embedded"; ready: boolean }> {
    const ready = !this.stopped && performance.now() - this.lookedAt < 10 * this.options.pollMs;
    return { mode: "embedded", ready, ...(await readStatus(this.options.store)) };
  }

  private async end(): Promise<void> {
    const { store, workers, drainMs } = this.options;
    workers.close();
    clearTimeout(this.rest);
    this.upkeep.forEach(clearInterval);
    await this.wakeups.stop();
    await this.looking;
    await workers.drain(drainMs);
    await store.work.end();
  }

  private now(): Date {
    return this.options.store.now() ?? new Date();
  }

  private async poll(): Promise<void> {
    clearTimeout(this.rest);
    let restMs = this.options.pollMs;
    try {
      await this.scheduler.tick(this.now());
      restMs = Math.min(restMs, (await this.claimAll()) ?? restMs, this.scheduler.nextInMs(this.now()) ?? restMs);
    } catch (error) {
      this.again = false;
      this.options.log.error({ err: error }, "the engine could not look for work");
    }
    if (!this.stopped) this.rest = setTimeout(() => this.wake(), restMs);
  }

  /**
   * Claims until there is no more room or nothing more is due. Returns the milliseconds until the next run is due; null
   * if none is known.
   */
  private async claimAll(): Promise<number | null> {
    const { store, registry, workers, leaseMs } = this.options;
    const functionIds = [...registry.keys()];
    for (;;) {
      this.again = false;
      const { runs, nextInMs } = await claimDue(store, {
        claimId: randomUUID(),
        leaseMs,
        rooms: workers.rooms(),
        functionIds,
      });
      this.lookedAt = performance.now();
      for (const run of runs) workers.take(run, () => this.wake());
      if (this.stopped || (runs.length === 0 && !this.again)) return nextInMs;
    }
  }

  private repeat(everyMs: number, work: () => Promise<void>): void {
    const failed = (error: unknown) => this.options.log.error({ err: error }, "the engine's upkeep failed");
    this.upkeep.push(setInterval(() => void work().catch(failed), everyMs));
  }
}
