import { queueSql } from "@/server/core/db";

/**
 * Parks or cancels what became pending for an endpoint at the very moment in which it was disabled or deleted, or was in flight
 * then and never recorded.
 */
export async function settleStrays(now: Date): Promise<void> {
  await queueSql(
    `UPDATE webhook_deliveries d SET next_attempt_at = NULL, lease_until = NULL, claim_id = NULL,
       status = CASE WHEN e.deleted_at IS NULL THEN 'parked' ELSE 'cancelled' END,
       completed_at = CASE WHEN e.deleted_at IS NOT NULL THEN $1::timestamptz END
     FROM webhook_endpoints e
     WHERE (e.status = 'disabled' OR e.deleted_at IS NOT NULL) AND d.org_id = e.org_id AND d.endpoint_id = e.id
       AND d.status = 'pending' AND (d.lease_until IS NULL OR d.lease_until <= $1)`,
    [now],
  );
}
