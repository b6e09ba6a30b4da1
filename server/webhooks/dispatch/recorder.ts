import { setTimeout as pause } from "node:timers/promises";
import { log } from "@/server/core/log";
import { isGone, type Attempt } from "./attempt";
import { recordAttempts } from "./record";
import { recordGone } from "./record-gone";

const pauseMs = 500;

interface AttemptQueue {
  waiting: Attempt[];
  readonly writers: Set<Promise<void>>;
  readonly maxWriters: number;
  readonly batchSize: number;
  readonly record: (attempts: Attempt[]) => Promise<void>;
}

/** Attempts that must wait before a second statement runs concurrently with the first. */
const enoughForAnother = 250;

/**
 * After a batch of at least `many`, the writer waits `gatherMs` for the next batch to grow, unless `enoughForAnother`
 * attempts wait already. PostgreSQL records 250 attempts in one statement in three quarters of the time that it needs
 * for them in four statements.
 */
const many = 32;
const gatherMs = 25;

/** Collects ended attempts and logs them: at once if there are few, in batches if there are many. */
export class Recorder {
  readonly #usual: AttemptQueue = {
    waiting: [],
    writers: new Set(),
    maxWriters: 2,
    batchSize: 500,
    record: recordAttempts,
  };
  /** A separate queue, because these wait for the lock on the endpoint's row. */
  readonly #gone: AttemptQueue = {
    waiting: [],
    writers: new Set(),
    maxWriters: 1,
    batchSize: 1,
    record: ([attempt]) => recordGone(attempt!, this.clock()),
  };

  /** @param recorded called with each batch once it is stored. */
  constructor(
    private readonly clock: () => Date,
    private readonly recorded: (attempts: Attempt[]) => void,
  ) {}

  add(attempt: Attempt): void {
    const queue = isGone(attempt) ? this.#gone : this.#usual;
    queue.waiting.push(attempt);
    const { writers, maxWriters } = queue;
    if (writers.size > 0 && (writers.size === maxWriters || queue.waiting.length < enoughForAnother)) return;
    const writer = this.#write(queue).finally(() => writers.delete(writer));
    writers.add(writer);
  }

  /** Number of ended attempts that are not yet being logged. */
  get backlog(): number {
    return this.#usual.waiting.length + this.#gone.waiting.length;
  }

  /** Resolves when the current writers have logged everything; undefined if nothing is being logged. */
  get writing(): Promise<unknown> | undefined {
    const writers = [...this.#usual.writers, ...this.#gone.writers];
    return writers.length > 0 ? Promise.all(writers) : undefined;
  }

  async #write(queue: AttemptQueue): Promise<void> {
    // Attempts that end in the same turn of the event loop go into the same statement.
    await new Promise(setImmediate);
    while (queue.waiting.length > 0) {
      const batch = queue.waiting.splice(0, queue.batchSize);
      try {
        await queue.record(batch);
      } catch (error) {
        log().error({ err: error, attempts: batch.length }, "webhook attempts could not be logged; trying again");
        queue.waiting.push(...batch);
        await pause(pauseMs);
        continue;
      }
      this.recorded(batch);
      if (batch.length >= many && queue.waiting.length < enoughForAnother) await pause(gatherMs);
    }
  }
}
