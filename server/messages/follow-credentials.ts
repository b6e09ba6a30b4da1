import { nudge } from "@/server/core/nudge";
import type { Consumer } from "@/server/reactions/consumer";

/**
 * Queues the automatic messages of templates. It only inserts, so that the numbering of events never waits for locks on
 * people and credentials. The rows hold no personal data: the address is read when the message is sent, so that an erasure
 * in between leaves nothing behind. The revocation of a replaced credential queues no message, because its holder gets the
 * message about the new one. A resumed or changed credential may expire within the period that the sweep has already
 * covered (sweep-expiring.ts), so `expiring` is queued here too; a unique index limits it to one message per expiry.
 */
export const messageReactions: Consumer = {
  name: "messages",
  effect: "The holder gets an e-mail if the template asks for it and the person is active and has an address.",
  events: [
    "credential.issued",
    "credential.updated",
    "credential.suspended",
    "credential.resumed",
    "credential.revoked",
  ],
  rowsPerEvent: (orgId) =>
    `(SELECT count(*) FROM (SELECT FROM templates WHERE org_id = ${orgId} AND message_kinds <> '{}' LIMIT 1) AS asking)`,
  react: ({ events, now }) => ({
    with: `messages_made AS (
  INSERT INTO messages (org_id, id, kind, credential_id, subject_id, template_id, about, next_attempt_at, asked_at, created_at, updated_at)
  SELECT event.org_id, uuidv7(), news.kind, event.resource_id, held.subject_id, event.template_id, news.about, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
  FROM ${events} AS event
  CROSS JOIN LATERAL (
    SELECT message_kinds, expiring_days FROM templates WHERE org_id = event.org_id AND id = event.template_id AND message_kinds <> '{}' OFFSET 0
  ) AS asked
  CROSS JOIN LATERAL (
    SELECT c.subject_id, c.state, c.expires_at, c.superseded_by FROM credentials c
    JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id AND s.status = 'active' AND s.email IS NOT NULL AND s.erased_at IS NULL
    WHERE c.org_id = event.org_id AND c.id = event.resource_id OFFSET 0
  ) AS held
  CROSS JOIN LATERAL (
    SELECT substr(event.type, 12) AS kind, NULL::timestamptz AS about
    WHERE event.type IN ('credential.issued', 'credential.suspended', 'credential.resumed') OR (event.type = 'credential.revoked' AND held.superseded_by IS NULL)
    UNION ALL
    SELECT 'expiry_changed', held.expires_at
    WHERE event.type = 'credential.updated' AND 'expiry_changed' = ANY(asked.message_kinds)
      AND EXISTS (SELECT FROM events told WHERE told.org_id = event.org_id AND told.id = event.id AND (told.body || '}')::jsonb #> '{data,previous}' ? 'expiresAt' OFFSET 0)
    UNION ALL
    SELECT 'expiring', held.expires_at
    WHERE event.type IN ('credential.updated', 'credential.resumed') AND held.state = 'active'
      AND held.expires_at > ${now}::timestamptz AND held.expires_at <= ${now}::timestamptz + asked.expiring_days * interval '1 day'
  ) AS news
  WHERE news.kind = ANY(asked.message_kinds)
  ORDER BY event.org_id, event.sequence
  ON CONFLICT DO NOTHING
  RETURNING org_id
)`,
    due: `SELECT DISTINCT org_id AS "orgId" FROM messages_made LIMIT 1`,
  }),
  wake() {
    nudge("mails");
  },
};
