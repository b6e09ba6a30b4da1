import { log } from "@/server/core/log";
import { Alarm } from "./alarm";
import type { Attempt } from "./attempt";
import { extendLeases, leaseMs, type Claimed } from "./claim";

/** Between two extensions: a lease is never younger than this, nor older than twice this, when it is extended; some may fail before it ends. */
const everyMs = leaseMs / 4;
const pauseMs = 1000;

interface Held {
  since: number;
  deliveries: Claimed[];
  /** How many of them are not recorded. */
  open: number;
}

/**
 * The leases of what this process has claimed and not yet recorded. While it lives they do not end, however long the database takes to
 * record an attempt; most are over before the first extension, and cost a count.
 */
export class Leases {
  /** By claim id, the oldest first. */
  readonly #claims = new Map<string, Held>();
  readonly #alarm: Alarm;
  #ended = false;

  constructor(private readonly clock: () => Date) {
    this.#alarm = new Alarm(clock, () => void this.#extend());
  }

  /** @param since when they were claimed; all of one claim. */
  hold(deliveries: Claimed[], since: Date): void {
    const first = deliveries[0];
    if (!first || this.#ended) return;
    this.#claims.set(first.claimId, { since: since.getTime(), deliveries, open: deliveries.length });
    this.#alarm.set(new Date(since.getTime() + everyMs));
  }

  /** These are recorded, and their deliveries not ours any more. */
  recorded(attempts: Attempt[]): void {
    for (const { delivery } of attempts) {
      const held = this.#claims.get(delivery.claimId);
      if (held && --held.open === 0) this.#claims.delete(delivery.claimId);
    }
  }

  /** Extends nothing more: what is held now is another's when its lease ends. */
  end(): void {
    this.#ended = true;
    this.#alarm.clear();
  }

  async #extend(): Promise<void> {
    const now = this.clock();
    const old = [...this.#claims.values()].filter(({ since }) => since <= now.getTime() - everyMs);
    let wait = everyMs;
    try {
      // Those of them that are recorded are ours no more.
      if (old.length > 0) await extendLeases(old.flatMap(({ deliveries }) => deliveries), now);
    } catch (error) {
      log().error({ err: error }, "the leases of webhook deliveries could not be extended; trying again");
      wait = pauseMs;
    }
    if (this.#claims.size > 0 && !this.#ended) this.#alarm.set(new Date(now.getTime() + wait));
  }
}
