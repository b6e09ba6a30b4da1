import type { Query } from "@/server/core/db";
import { isLeaseOver } from "@/server/reactions/lease-over";
import { released } from "@/server/reactions/leased-table";
import type { EndpointRef } from "./endpoint-ref";

/** Rows per statement, so that no statement takes long. */
const batchSize = 5000;

// The lock on the endpoint's row keeps anyone from enabling it meanwhile, so no delivery is parked that was just
// recovered. If another transaction holds the row, the statement changes nothing.
const end = (which: string) => `
WITH ended AS MATERIALIZED (
  SELECT org_id, id, CASE WHEN deleted_at IS NULL THEN 'parked' ELSE 'cancelled' END AS ending FROM webhook_endpoints
  WHERE org_id = $1 AND id = $2 AND (deleted_at IS NOT NULL OR status = 'disabled') FOR SHARE SKIP LOCKED
), left_over AS MATERIALIZED (
  SELECT d.* FROM ended CROSS JOIN LATERAL (
    SELECT d.ctid AS tid, d.org_id, d.id FROM webhook_deliveries d
    WHERE d.org_id = ended.org_id AND d.endpoint_id = ended.id AND ${which} AND ${isLeaseOver("$3", "d")}
    LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
  ) AS d
)
UPDATE webhook_deliveries AS d SET status = (SELECT ending FROM ended), next_attempt_at = NULL, ${released},
  completed_at = CASE WHEN (SELECT ending FROM ended) = 'cancelled' THEN $3::timestamptz END
FROM left_over WHERE d.ctid = left_over.tid AND d.org_id = left_over.org_id AND d.id = left_over.id RETURNING 1`;

const pending = end(`d.status = 'pending'`);
const parked = end(`d.status = 'parked' AND ended.ending = 'cancelled'`);

/**
 * Parks the pending deliveries of a disabled endpoint, or cancels those of a deleted one, up to 5,000 in one call.
 * parkLeftoverDeliveries does the rest. Deliveries in flight finish first; record.ts then parks or cancels their retry.
 * @returns whether there may be more.
 */
export async function parkPendingDeliveries(
  sql: Query,
  { orgId, endpointId }: EndpointRef,
  now: Date,
): Promise<boolean> {
  return (await sql(pending, [orgId, endpointId, now])).length === batchSize;
}

/** Cancels parked deliveries of a deleted endpoint, up to 5,000 in one call. @returns whether there may be more. */
export async function cancelParkedDeliveries(
  sql: Query,
  { orgId, endpointId }: EndpointRef,
  now: Date,
): Promise<boolean> {
  return (await sql(parked, [orgId, endpointId, now])).length === batchSize;
}
