import { log } from "@/server/core/log";
import type { Attempt } from "./attempt";
import { recordAttempts } from "./record";

const batchSize = 500;
const maxWriters = 2;
/** As many have to wait before a second statement runs beside the first. */
const enoughForAnother = 100;
const pauseMs = 500;

/** Collects ended attempts and logs them: at once when there are few, many in one statement when there are many. */
export class Recorder {
  #waiting: Attempt[] = [];
  readonly #writers = new Set<Promise<void>>();

  /** @param recorded is told of each batch once it is in the database. */
  constructor(private readonly recorded: (attempts: Attempt[]) => void) {}

  add(attempt: Attempt): void {
    this.#waiting.push(attempt);
    if (this.#writers.size > 0 && (this.#writers.size === maxWriters || this.#waiting.length < enoughForAnother)) return;
    const writer = this.#write().finally(() => this.#writers.delete(writer));
    this.#writers.add(writer);
  }

  /** Ended attempts that nobody has begun to log. */
  get backlog(): number {
    return this.#waiting.length;
  }

  /** What is being logged, until nothing waits. */
  get writing(): Promise<unknown> | undefined {
    return this.#writers.size > 0 ? Promise.all(this.#writers) : undefined;
  }

  async #write(): Promise<void> {
    // What ends in the same turn of the event loop goes into the same statement.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchSize);
      try {
        await recordAttempts(batch);
      } catch (error) {
        log().error({ err: error, attempts: batch.length }, "webhook attempts could not be logged; trying again");
        this.#waiting = [...batch, ...this.#waiting];
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        continue;
      }
      this.recorded(batch);
    }
  }
}
