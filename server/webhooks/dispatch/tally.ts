import { queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import type { Attempt } from "./attempt";
import { bucketOf } from "@/server/webhooks/endpoints/buckets";

const hourMs = 3_600_000;
const heldForMs = 1000;

interface Count {
  orgId: Id<"org">;
  endpointId: Id<"whe">;
  hour: number;
  ok: boolean;
  bucket: number;
  attempts: number;
}

/**
 * Counts attempts for the statistics and adds them to the table about once a second. Written with each batch, the few
 * rows of a busy endpoint would make all processes wait for one another. A killed process loses a second of statistics.
 */
export class Tally {
  #counts = new Map<string, Count>();
  #writtenAt = 0;

  count(attempts: Attempt[]): void {
    for (const { delivery, outcome, startedAt, durationMs } of attempts) {
      if (outcome === "cancelled") continue;
      const { orgId, endpointId } = delivery;
      this.#add({
        orgId,
        endpointId,
        hour: Math.floor(startedAt.getTime() / hourMs) * hourMs,
        ok: outcome === "succeeded",
        bucket: bucketOf(durationMs),
        attempts: 1,
      });
    }
  }

  #add(count: Count): void {
    const key = `${count.endpointId} ${count.hour} ${count.ok} ${count.bucket}`;
    const counted = this.#counts.get(key);
    if (counted) counted.attempts += count.attempts;
    else this.#counts.set(key, count);
  }

  /** Whether the last write was more than a second ago. */
  isOld(): boolean {
    return performance.now() - this.#writtenAt > heldForMs;
  }

  /** Writes the counts. If that fails, they are kept for the next write. */
  async write(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    this.#writtenAt = performance.now();
    try {
      await queueSql(add, [
        counts.map((c) => c.orgId),
        counts.map((c) => c.endpointId),
        counts.map((c) => new Date(c.hour)),
        counts.map((c) => c.ok),
        counts.map((c) => c.bucket),
        counts.map((c) => c.attempts),
      ]);
    } catch (error) {
      for (const count of counts) this.#add(count);
      throw error;
    }
  }
}

// All processes write in the same order, so that they do not deadlock.
const add = `
INSERT INTO webhook_statistics AS s (org_id, endpoint_id, hour, ok, bucket, attempts)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::bool[], $5::int[], $6::int[]) AS c (org_id, endpoint_id, hour, ok, bucket, attempts)
ORDER BY 1, 2, 3, 4, 5
ON CONFLICT (org_id, endpoint_id, hour, ok, bucket) DO UPDATE SET attempts = s.attempts + excluded.attempts`;
