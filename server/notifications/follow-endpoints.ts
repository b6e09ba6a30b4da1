import { nudge } from "@/server/core/nudge";
import type { Consumer } from "@/server/reactions/consumer";
import { endpointFactsJson, insertNotices } from "./endpoint-notices";
import { mailSettings } from "./settings";

/**
 * Queues the e-mail that an endpoint was disabled, to each owner and admin with a verified address. A membership that
 * another transaction has locked is skipped, so that numbering never waits. queueEndpointNotices runs each minute,
 * notifies the others and queues the warnings, which become due by the clock without an event
 * (docs/decisions/162).
 */
export const endpointNotices: Consumer = {
  name: "endpoint_notices",
  effect:
    "Where the service disabled the endpoint, its owners and admins get an e-mail, if an SMTP server is configured.",
  events: ["webhook.endpoint.disabled"],
  isEnabled: () => mailSettings() !== undefined,
  // Counted as no rows: one event in many thousands makes any, and a batch may exceed its limit of rows by a few.
  rowsPerEvent: () => "0",
  react: ({ events, now }) => ({
    with: `endpoint_notices_due AS MATERIALIZED (
  SELECT e.* FROM ${events} AS event CROSS JOIN LATERAL (
    SELECT e.org_id, e.id, 'endpoint_disabled' AS kind, e.disabled_at AS since, ${endpointFactsJson("NULL::timestamptz")} AS facts
    FROM webhook_endpoints e
    WHERE e.org_id = event.org_id AND e.id = event.resource_id AND e.status = 'disabled' AND e.disabled_reason IN ('failing', 'gone') AND e.deleted_at IS NULL
    OFFSET 0
  ) AS e
), endpoint_notices_people AS MATERIALIZED (
  SELECT DISTINCT m.* FROM endpoint_notices_due AS n CROSS JOIN LATERAL (
    SELECT m.org_id, m.user_id, true AS is_verified FROM memberships m WHERE m.org_id = n.org_id AND m.role IN ('owner', 'admin') FOR KEY SHARE SKIP LOCKED
  ) AS m
  CROSS JOIN LATERAL (SELECT FROM users u WHERE u.id = m.user_id AND u.email_verified_at IS NOT NULL OFFSET 0) AS verified
), endpoint_notices_made AS (
  ${insertNotices("endpoint_notices_due n JOIN endpoint_notices_people m ON m.org_id = n.org_id", now)}
  RETURNING org_id
)`,
    due: `SELECT DISTINCT org_id AS "orgId" FROM endpoint_notices_made`,
  }),
  wake() {
    nudge("mails");
  },
};
