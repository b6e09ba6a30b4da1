import type { Query } from "@/server/core/db";
import { isLeaseOver } from "@/server/reactions/lease-over";
import { released } from "@/server/reactions/leased-table";
import type { EndpointRef } from "./endpoint-ref";

/** Rows of one statement, so that none takes long. */
const batchSize = 5000;

// While this holds the endpoint's row it cannot be enabled, so that nothing is parked that was enabled or recovered
// meanwhile. Where another holds it, nothing is done.
const end = (which: string) => `
WITH ended AS MATERIALIZED (
  SELECT org_id, id, CASE WHEN deleted_at IS NULL THEN 'parked' ELSE 'cancelled' END AS ending FROM webhook_endpoints
  WHERE org_id = $1 AND id = $2 AND (deleted_at IS NOT NULL OR status = 'disabled') FOR SHARE SKIP LOCKED
)
UPDATE webhook_deliveries SET status = (SELECT ending FROM ended), next_attempt_at = NULL, ${released},
  completed_at = CASE WHEN (SELECT ending FROM ended) = 'cancelled' THEN $3::timestamptz END
WHERE ctid = ANY(ARRAY(
  SELECT d.tid FROM ended CROSS JOIN LATERAL (
    SELECT d.ctid AS tid FROM webhook_deliveries d
    WHERE d.org_id = ended.org_id AND d.endpoint_id = ended.id AND ${which} AND ${isLeaseOver("$3", "d")}
    LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
  ) AS d
)) RETURNING 1`;

const pending = end(`d.status = 'pending'`);
const parked = end(`d.status = 'parked' AND ended.ending = 'cancelled'`);

/**
 * Parks what is pending for an endpoint that is disabled, cancels what is pending for one that was deleted, at most a
 * batch of it: parkLeftoverDeliveries does the rest. What is in flight at this moment ends by itself, and record.ts
 * does so to what would follow it.
 * @returns whether there may be more.
 */
export async function parkPendingDeliveries(
  sql: Query,
  { orgId, endpointId }: EndpointRef,
  now: Date,
): Promise<boolean> {
  return (await sql(pending, [orgId, endpointId, now])).length === batchSize;
}

/** Cancels what is parked for an endpoint that was deleted, as parkPendingDeliveries does. */
export async function cancelParkedDeliveries(
  sql: Query,
  { orgId, endpointId }: EndpointRef,
  now: Date,
): Promise<boolean> {
  return (await sql(parked, [orgId, endpointId, now])).length === batchSize;
}
