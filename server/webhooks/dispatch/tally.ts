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
 * Counts attempts for the statistics and adds them to the table once in a while: written with each batch of attempts,
 * the few rows of a busy endpoint would have all processes wait for one another. A process that is killed loses a
 * second of statistics.
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

  /** Counts wait for longer than they should. */
  isOld(): boolean {
    return performance.now() - this.#writtenAt > heldForMs;
  }

  /** Where it fails, the counts are kept for the next time. */
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

// In one order in all processes, so that none waits for another in a circle.
const add = `
INSERT INTO webhook_statistics AS s (org_id, endpoint_id, hour, ok, bucket, attempts)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::bool[], $5::int[], $6::int[]) AS c (org_id, endpoint_id, hour, ok, bucket, attempts)
ORDER BY 1, 2, 3, 4, 5
ON CONFLICT (org_id, endpoint_id, hour, ok, bucket) DO UPDATE SET attempts = s.attempts + excluded.attempts`;
