import type { Consumer } from "@/server/reactions/consumer";
import type { EndpointRef } from "@/server/webhooks/endpoints/endpoint-ref";
import { dispatcher } from "./running";

/**
 * Creates a delivery of each event for each endpoint that subscribes to it: pending, or parked if the endpoint is
 * disabled. The event that an endpoint was disabled does not go to that endpoint.
 */
export const webhookDeliveries: Consumer = {
  name: "webhooks",
  effect: "Each webhook endpoint that subscribes to it gets a delivery.",
  events: ["*"],
  rowsPerEvent: (orgId) =>
    `(SELECT count(*) FROM webhook_endpoints e WHERE e.org_id = ${orgId} AND e.deleted_at IS NULL)`,
  // The rows of disabled endpoints are locked, so that nothing is parked after one of them was enabled and recovered.
  // If another transaction holds a row, its deliveries become pending and parkLeftoverDeliveries parks them later.
  react: ({ events, organisations, now }) => ({
    with: `webhooks_listeners AS MATERIALIZED (
  SELECT endpoint.* FROM ${organisations} AS o CROSS JOIN LATERAL (
    SELECT org_id, id, status, event_types FROM webhook_endpoints e WHERE e.org_id = o.org_id AND e.deleted_at IS NULL OFFSET 0
  ) AS endpoint
), webhooks_disabled AS MATERIALIZED (
  SELECT e.org_id, e.id FROM webhooks_listeners AS listener CROSS JOIN LATERAL (
    SELECT org_id, id FROM webhook_endpoints e
    WHERE e.org_id = listener.org_id AND e.id = listener.id AND e.status = 'disabled' FOR SHARE SKIP LOCKED
  ) AS e
  WHERE listener.status = 'disabled'
), webhooks_fan AS (
  SELECT event.*, endpoint.id AS endpoint_id, CASE WHEN disabled.id IS NULL THEN 'pending' ELSE 'parked' END AS status
  FROM ${events} AS event
  JOIN webhooks_listeners endpoint ON endpoint.org_id = event.org_id
   AND (endpoint.event_types = '{}' OR event_matches(event.type, endpoint.event_types))
   AND NOT (event.type = 'webhook.endpoint.disabled' AND event.resource_id = endpoint.id)
  LEFT JOIN webhooks_disabled disabled ON disabled.org_id = endpoint.org_id AND disabled.id = endpoint.id
), webhooks_made AS (
  INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, status, next_attempt_at, created_at)
  SELECT org_id, uuidv7(), endpoint_id, id, type, sequence, status, CASE WHEN status = 'pending' THEN ${now} END, ${now}
  FROM webhooks_fan ORDER BY org_id, sequence
  RETURNING org_id, endpoint_id, status
)`,
    due: `SELECT DISTINCT org_id AS "orgId", endpoint_id AS "endpointId" FROM webhooks_made WHERE status = 'pending'`,
  }),
  wake(endpoints: EndpointRef[]) {
    dispatcher().wake(endpoints);
  },
};
