import { queueSql } from "@/server/core/db";
import { Failures } from "@/server/core/failures";
import type { EndpointRef } from "@/server/webhooks/endpoints/endpoint-ref";
import { cancelParkedDeliveries, parkPendingDeliveries } from "@/server/webhooks/endpoints/park-pending";

/**
 * Parks or cancels deliveries that are still pending for disabled or deleted endpoints: those beyond the batch of the
 * command, those that became pending while it ran, and those in flight whose attempt was never recorded. Also cancels
 * deliveries that are still parked for deleted endpoints. An endpoint that fails does not stop the others; its error is thrown in the
 * end.
 */
export async function parkLeftoverDeliveries(now: Date): Promise<void> {
  const failures = new Failures();
  for (const endpoint of await queueSql<EndpointRef>(ended, [])) await failures.keep(endDeliveries(endpoint, now));
  failures.throw();
}

async function endDeliveries(endpoint: EndpointRef, now: Date): Promise<void> {
  while (await parkPendingDeliveries(queueSql, endpoint, now));
  while (await cancelParkedDeliveries(queueSql, endpoint, now));
}

const ended = `
SELECT e.org_id AS "orgId", e.id AS "endpointId"
FROM webhook_endpoints e
WHERE (e.status = 'disabled' OR e.deleted_at IS NOT NULL) AND (
  EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'pending')
  OR e.deleted_at IS NOT NULL AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'parked')
)`;
