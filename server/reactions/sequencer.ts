import { AsyncLocalStorage } from "node:async_hooks";
import { coalesced } from "@/server/core/coalesce";
import { asBackground } from "@/server/core/db";
import { log } from "@/server/core/log";
import { withTimeout } from "@/server/core/within";
import { sequenceEvents } from "./sequence";
import type { Consumer } from "./consumer";

/** Between two rounds while commits do not cease, so that a round numbers many events; after a rest there is none. */
const gapMs = 20;
/** For the last round of a process: it may wait for the lock of another. */
const lastRoundMs = 5000;

/**
 * Numbers what this process commits, at once, and wakes the consumers. It runs beside those of other processes: the
 * sequencer's lock lets one statement number at a time, whichever process it comes from.
 */
export class Sequencer {
  readonly #next: () => void;
  /**
   * Leaves the context of the request whose commit woke it: what follows takes no connections of that request's
   * organisation.
   */
  readonly #outside = AsyncLocalStorage.snapshot();
  #round: Promise<unknown> | undefined;
  #stopped = false;

  /** To be made outside any request. */
  constructor(private readonly consumers: readonly Consumer[]) {
    this.#next = coalesced(() => this.#tryRound(), gapMs);
  }

  /** Something was committed. Does not wait; a round that fails is logged and tried again a second later. */
  wake(): void {
    if (!this.#stopped) this.#outside(() => asBackground(this.#next));
  }

  /**
   * Numbers until nothing waits, and wakes the consumers after each statement.
   * @returns how many events it numbered
   */
  async drain(): Promise<number> {
    for (let numbered = 0; ; ) {
      const { events, more, due } = await sequenceEvents(this.consumers);
      numbered += events;
      for (const consumer of this.consumers) if (due[consumer.name]?.length) consumer.wake(due[consumer.name]!);
      if (!more) return numbered;
    }
  }

  /**
   * Numbers what was committed until now, then nothing more. What it cannot number, other processes or the next start
   * do.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    const last = Promise.resolve(this.#round).then(() => this.drain());
    await withTimeout(
      lastRoundMs,
      last.catch((error: unknown) =>
        log().warn({ err: error }, "events were not numbered before the end; a sweep will"),
      ),
    );
  }

  async #tryRound(): Promise<boolean> {
    if (this.#stopped) return true;
    const round = this.drain().then(
      () => true,
      (error: unknown) => {
        log().error({ err: error }, "events could not be numbered; trying again");
        return false;
      },
    );
    this.#round = round;
    return round;
  }
}
