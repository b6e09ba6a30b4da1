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
  /** How long a run is held without a sign of life of its process. */
  leaseMs: number;
  /** The longest that the engine rests without looking; what a lost notification costs. */
  pollMs: number;
  /** How long stop() waits for what runs. */
  drainMs: number;
  purgeMs: number;
}

/**
 * Claims due runs and has them driven; woken by what is sent here, by notifications, by the time of the next run or
 * tick, and by a poll.
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

  /** What the SDK's client uses in place of `fetch`: the events it sends are queued here. */
  readonly fetch: typeof fetch = (input, init) => {
    const { store, registry, signals } = this.options;
    return takeEvents(new Request(input, init), async (events) => {
      await enqueue(store, registry, signals, events, this.id);
      this.wake();
    });
  };

  /** Looks for due work now. However often it is called while it looks, it looks once more. */
  wake(): void {
    this.again = true;
    if (this.stopped || this.looking) return;
    this.looking = this.poll().finally(() => {
      this.looking = undefined;
      if (this.again) this.wake();
    });
  }

  /** Lets what runs end, for a bounded time, and gives back the rest. */
  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  /** `ready` is false once the engine could not look for work for ten polls: the database is out of reach. */
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
   * Claims until there is no more room or nothing more due. Gives the milliseconds until the next run falls due, where
   * one is known.
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
