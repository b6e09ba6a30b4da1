import { nudge } from "@/server/core/nudge";
import type { Consumer } from "@/server/reactions/consumer";

/**
 * Queues the message that asks a holder to confirm a name, with the link. Like the other messages, the row holds no
 * personal data, and the link is created when the message is sent. While one message waits, no other is queued, because
 * it will have the newest link. A message that a process holds counts as sent, because it may have the former link. A
 * changed address gets the link too; the sender creates a new link if the former one was mailed elsewhere.
 */
export const confirmationMessages: Consumer = {
  name: "name_messages",
  effect: "The holder gets an e-mail with the link to confirm the name, if the person is active and has an address.",
  events: ["name_confirmation.requested", "subject.updated"],
  react: ({ events, now }) => ({
    with: `name_messages_wanted AS (
  SELECT event.org_id, event.resource_id AS confirmation_id FROM ${events} AS event WHERE event.type = 'name_confirmation.requested'
  UNION
  SELECT event.org_id, asked.id FROM ${events} AS event
  CROSS JOIN LATERAL (
    SELECT id FROM name_confirmations WHERE org_id = event.org_id AND subject_id = event.resource_id AND state = 'waiting' OFFSET 0
  ) AS asked
  WHERE event.type = 'subject.updated'
    AND EXISTS (SELECT FROM events told WHERE told.org_id = event.org_id AND told.id = event.id AND (told.body || '}')::jsonb #> '{data,previous}' ? 'email' OFFSET 0)
), name_messages_made AS (
  INSERT INTO messages (org_id, id, kind, confirmation_id, subject_id, template_id, next_attempt_at, asked_at, created_at, updated_at)
  SELECT wanted.org_id, uuidv7(), 'confirm_name', wanted.confirmation_id, asked.subject_id, asked.template_id, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
  FROM name_messages_wanted AS wanted
  CROSS JOIN LATERAL (
    SELECT n.subject_id, n.template_id FROM name_confirmations n
    JOIN subjects s ON s.org_id = n.org_id AND s.id = n.subject_id AND s.status = 'active' AND s.email IS NOT NULL AND s.erased_at IS NULL
    WHERE n.org_id = wanted.org_id AND n.id = wanted.confirmation_id AND n.state = 'waiting'
      AND NOT EXISTS (SELECT FROM messages m WHERE m.org_id = n.org_id AND m.confirmation_id = n.id AND m.state = 'pending' AND m.claim_id IS NULL) OFFSET 0
  ) AS asked
  ORDER BY wanted.org_id, wanted.confirmation_id
  RETURNING org_id
)`,
    due: `SELECT DISTINCT org_id AS "orgId" FROM name_messages_made LIMIT 1`,
  }),
  wake() {
    nudge("mails");
  },
};
