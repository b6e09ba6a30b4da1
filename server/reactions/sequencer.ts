import { AsyncLocalStorage } from "node:async_hooks";
import { coalesced } from "@/server/core/coalesce";
import { asBackground } from "@/server/core/db";
import { log } from "@/server/core/log";
import { withTimeout } from "@/server/core/within";
import { sequenceEvents } from "./sequence";
import type { Consumer } from "./consumer";

/** The pause between rounds while commits keep coming, so that a round numbers many events. A first round has none. */
const gapMs = 20;
/** The time limit of the last round before the thread ends, which may have to wait for the lock of another server. */
const lastRoundMs = 5000;

/**
 * Numbers the events that this server commits, immediately, and wakes the consumers. Every server has one, in the thread
 * that runs its jobs: the sequencer's lock lets one statement number at a time, across servers.
 */
export class Sequencer {
  readonly #next: () => void;
  /**
   * Runs a function outside the context of the request whose commit woke it, so that numbering does not take
   * connections of that request's organisation.
   */
  readonly #outside = AsyncLocalStorage.snapshot();
  #round: Promise<unknown> | undefined;
  #stopped = false;

  /** Construct it outside any request, because `#outside` keeps the context of the construction. */
  constructor(private readonly consumers: readonly Consumer[]) {
    this.#next = coalesced(() => this.#tryRound(), gapMs);
  }

  /** Call after a commit. Returns at once; a round that fails is logged and retried a second later. */
  wake(): void {
    if (!this.#stopped) this.#outside(() => asBackground(this.#next));
  }

  /**
   * Numbers until no event waits, and wakes the consumers after each statement.
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
   * Numbers what was committed until now, then nothing more. Other processes or the next start number what it cannot.
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
