import { log } from "@/server/core/log";
import type { Attempt } from "./attempt";
import { recordAttempts } from "./record";

const batchSize = 500;
const pauseMs = 500;

/** Collects ended attempts and logs them: at once when there are few, many in one statement when there are many. */
export class Recorder {
  readonly #waiting: Attempt[] = [];
  #writing: Promise<void> | undefined;

  /** @param recorded is told of each batch once it is in the database. */
  constructor(private readonly recorded: (attempts: Attempt[]) => Promise<void>) {}

  add(attempt: Attempt): void {
    this.#waiting.push(attempt);
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  /** Ended attempts that are not in the database yet. */
  get backlog(): number {
    return this.#waiting.length;
  }

  /** Undefined where nothing waits. */
  get writing(): Promise<void> | undefined {
    return this.#writing;
  }

  async #write(): Promise<void> {
    // What ends in the same turn of the event loop goes into the same statement.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchSize);
      try {
        await recordAttempts(batch);
      } catch (error) {
        log().error({ err: error, attempts: batch.length }, "webhook attempts could not be logged; trying again");
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        continue;
      }
      this.#waiting.splice(0, batch.length);
      await this.recorded(batch).catch((error: unknown) => log().error({ err: error }, "the health of webhook endpoints could not be noted"));
    }
  }
}
