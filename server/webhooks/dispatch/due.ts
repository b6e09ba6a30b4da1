import { queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { isLeaseOver, leaseEnds } from "@/server/reactions/lease-over";

/** An active endpoint that has pending deliveries. */
export interface DueEndpoint {
  orgId: Id<"org">;
  endpointId: Id<"whe">;
  /** Whether a delivery can be claimed now. */
  ready: boolean;
  /** When to look again; null for never. */
  nextLook: Date | null;
}

/**
 * Returns every active endpoint with pending deliveries, except the `known` ones and those of suspended organisations.
 * Steps through the index from endpoint to endpoint, so that a backlog costs as little as one row.
 */
export function dueEndpoints(now: Date, known: Id<"whe">[]): Promise<DueEndpoint[]> {
  return queueSql<DueEndpoint>(skipScan, [now, known]);
}

// Scan backwards: the newest row of an endpoint is seldom one that is done and not yet vacuumed.
// The oldest row may be leased: look at its endpoint again when that lease ends, in case nobody records the attempt.
const skipScan = `
WITH RECURSIVE step AS (
  (SELECT org_id, endpoint_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY endpoint_id DESC LIMIT 1)
  UNION ALL
  SELECT preceding.org_id, preceding.endpoint_id FROM step CROSS JOIN LATERAL (
    SELECT d.org_id, d.endpoint_id FROM webhook_deliveries d
    WHERE d.status = 'pending' AND d.endpoint_id < step.endpoint_id ORDER BY d.endpoint_id DESC LIMIT 1
  ) AS preceding
)
SELECT step.org_id AS "orgId", step.endpoint_id AS "endpointId",
  coalesce(greatest(free.at, pace.next_at) <= $1, false) AS ready,
  least(greatest(free.at, pace.next_at), oldest.lease_ends) AS "nextLook"
FROM step
JOIN webhook_endpoints e ON e.org_id = step.org_id AND e.id = step.endpoint_id AND e.id <> ALL($2) AND e.status = 'active' AND e.deleted_at IS NULL
JOIN organisations o ON o.id = e.org_id AND o.suspended_at IS NULL
LEFT JOIN webhook_paces pace ON pace.org_id = e.org_id AND pace.endpoint_id = e.id AND e.rate_limit IS NOT NULL
LEFT JOIN LATERAL (
  SELECT ${leaseEnds("$1::timestamptz", "d")} AS lease_ends FROM webhook_deliveries d
  WHERE d.org_id = e.org_id AND d.endpoint_id = e.id AND d.status = 'pending' ORDER BY d.next_attempt_at, d.id LIMIT 1
) AS oldest ON true
LEFT JOIN LATERAL (
  SELECT d.next_attempt_at AS at FROM webhook_deliveries d
  WHERE d.org_id = e.org_id AND d.endpoint_id = e.id AND d.status = 'pending' AND ${isLeaseOver("$1", "d")}
  ORDER BY d.next_attempt_at, d.id LIMIT 1
) AS free ON true`;
