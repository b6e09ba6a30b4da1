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
  /** How many of them are still worked on. */
  open: number;
}

/**
 * Extends the leases of what this process has claimed and not yet recorded: while it lives they do not end, however
 * long the database takes to record. Most rows are recorded before the first extension, and cost a count.
 */
export class LeaseKeeper<Row extends Claimed> {
  /** By claim id, the oldest first. */
  readonly #claims = new Map<Id<"req">, Claim<Row>>();
  readonly #alarm: Alarm;
  /**
   * Between two extensions: a lease is never younger than this, nor older than twice this, when it is extended; some
   * may fail before it ends.
   */
  readonly #everyMs: number;
  #ended = false;

  /** @param extend extends the leases of what of these rows is still held. */
  constructor(
    private readonly clock: () => Date,
    leaseMs: number,
    private readonly extend: (rows: Row[], now: Date) => Promise<void>,
  ) {
    this.#everyMs = leaseMs / 4;
    this.#alarm = new Alarm(clock, () => void this.#extend());
  }

  /** @param since when they were claimed; all of one claim. */
  hold(rows: Row[], since: Date): void {
    const first = rows[0];
    if (!first || this.#ended) return;
    this.#claims.set(first.claimId, { since: since.getTime(), rows, open: rows.length });
    this.#alarm.set(new Date(since.getTime() + this.#everyMs));
  }

  /** These are recorded, and no longer ours. */
  recorded(rows: Row[]): void {
    for (const { claimId } of rows) {
      const claim = this.#claims.get(claimId);
      if (claim && --claim.open === 0) this.#claims.delete(claimId);
    }
  }

  /** Extends nothing more: others may claim what is held now when its lease ends. */
  end(): void {
    this.#ended = true;
    this.#alarm.clear();
  }

  async #extend(): Promise<void> {
    const now = this.clock();
    const old = [...this.#claims.values()].filter(({ since }) => since <= now.getTime() - this.#everyMs);
    let wait = this.#everyMs;
    try {
      // Those of them that are recorded are no longer held, so that extending them changes nothing.
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
