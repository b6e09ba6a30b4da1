import type { Query } from "@/server/core/db";

/** Rows of one statement, so that none takes long. */
const batchSize = 5000;

/** What becomes of what is pending for an endpoint that was disabled or deleted. */
export type Ending = "parked" | "cancelled";

const settle = (from: string) => `
UPDATE webhook_deliveries SET status = $3, next_attempt_at = NULL, lease_until = NULL, claim_id = NULL,
  completed_at = CASE WHEN $3 = 'cancelled' THEN $4::timestamptz END
WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM webhook_deliveries
  WHERE org_id = $1 AND endpoint_id = $2 AND ${from} AND (lease_until IS NULL OR lease_until <= $4) LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
)) RETURNING 1`;

const pending = settle(`status = 'pending'`);
const parked = settle(`status = 'parked'`);

interface EndpointRef {
  orgId: string;
  endpointId: string;
}

/**
 * Parks or cancels what is pending for an endpoint, at most a batch of it: settleStrays does the rest. What is in flight at this
 * moment ends by itself, and record.ts does so to what would follow it.
 * @returns whether there may be more.
 */
export async function settlePending(sql: Query, { orgId, endpointId }: EndpointRef, ending: Ending, now: Date): Promise<boolean> {
  return (await sql(pending, [orgId, endpointId, ending, now])).length === batchSize;
}

/** Cancels what is parked for an endpoint that was deleted, as settlePending does. */
export async function cancelParked(sql: Query, { orgId, endpointId }: EndpointRef, now: Date): Promise<boolean> {
  return (await sql(parked, [orgId, endpointId, "cancelled", now])).length === batchSize;
}
