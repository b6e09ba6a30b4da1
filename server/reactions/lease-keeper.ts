import type { Id } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { Alarm } from "./alarm";

const pauseMs = 1000;

/** A row that this process has claimed. */
interface Claimed {
  claimId: Id<"req">;
}

interface Claim<Row> {
  since: number;
  rows: Row[];
  /** How many of the rows are not recorded yet. */
  open: number;
}

/**
 * Extends the leases of the rows that this process has claimed and not yet recorded, so that they do not end while the
 * process lives, however long the database takes to record. Most rows are recorded before the first extension, and cost
 * only a counter.
 */
export class LeaseKeeper<Row extends Claimed> {
  /** By claim id, the oldest first. */
  readonly #claims = new Map<Id<"req">, Claim<Row>>();
  readonly #alarm: Alarm;
  /**
   * The time between two extensions, a quarter of a lease. A lease is first extended when it is between once and twice
   * this old, so an extension may fail before the lease ends.
   */
  readonly #everyMs: number;
  #ended = false;

  /** @param extend extends the leases of those rows that are still held */
  constructor(
    private readonly clock: () => Date,
    leaseMs: number,
    private readonly extend: (rows: Row[], now: Date) => Promise<void>,
  ) {
    this.#everyMs = leaseMs / 4;
    this.#alarm = new Alarm(clock, () => void this.#extend());
  }

  /** Keeps the leases of rows until they are recorded. @param rows of one claim @param since when they were claimed */
  hold(rows: Row[], since: Date): void {
    const first = rows[0];
    if (!first || this.#ended) return;
    this.#claims.set(first.claimId, { since: since.getTime(), rows, open: rows.length });
    this.#alarm.set(new Date(since.getTime() + this.#everyMs));
  }

  /** Stops keeping the leases of these rows, which have been recorded. */
  recorded(rows: Row[]): void {
    for (const { claimId } of rows) {
      const claim = this.#claims.get(claimId);
      if (claim && --claim.open === 0) this.#claims.delete(claimId);
    }
  }

  /** Stops extending leases. Other processes can claim the held rows when their leases end. */
  end(): void {
    this.#ended = true;
    this.#alarm.clear();
  }

  async #extend(): Promise<void> {
    const now = this.clock();
    const old = [...this.#claims.values()].filter(({ since }) => since <= now.getTime() - this.#everyMs);
    let wait = this.#everyMs;
    try {
      // Rows that are already recorded are no longer held, so extending them changes nothing.
      if (old.length > 0)
        await this.extend(
          old.flatMap(({ rows }) => rows),
          now,
        );
    } catch (error) {
      log().error({ err: error }, "leases could not be extended; trying again");
      wait = pauseMs;
    }
    if (this.#claims.size > 0 && !this.#ended) this.#alarm.set(new Date(now.getTime() + wait));
  }
}
