import { nudge } from "@/server/core/nudge";
import type { Consumer } from "@/server/reactions/consumer";

/**
 * Queues changed credentials that have passes. It only inserts, so that the numbering of events never waits for a lock;
 * a job does the rest (apply-changes.ts). subject.updated counts too, because passes show a person's current name and
 * attributes.
 */
export const walletChanges: Consumer = {
  name: "wallet_changes",
  effect: "The credential's passes in wallets are updated, and the phones are notified.",
  events: [
    "credential.updated",
    "credential.suspended",
    "credential.resumed",
    "credential.revoked",
    "credential.expired",
    "subject.updated",
  ],
  react: ({ events, now }) => ({
    with: `wallet_changes_made AS (
  INSERT INTO wallet_changes (org_id, id, credential_id, created_at)
  SELECT event.org_id, uuidv7(), pass.credential_id, ${now}::timestamptz FROM ${events} AS event CROSS JOIN LATERAL (
    SELECT p.credential_id FROM apple_passes p WHERE event.type <> 'subject.updated' AND p.org_id = event.org_id AND p.credential_id = event.resource_id
    UNION
    SELECT p.credential_id FROM google_passes p WHERE event.type <> 'subject.updated' AND p.org_id = event.org_id AND p.credential_id = event.resource_id
    UNION
    SELECT c.id FROM credentials c WHERE event.type = 'subject.updated' AND c.org_id = event.org_id AND c.subject_id = event.resource_id
      AND (EXISTS (SELECT FROM apple_passes p WHERE p.org_id = c.org_id AND p.credential_id = c.id)
        OR EXISTS (SELECT FROM google_passes p WHERE p.org_id = c.org_id AND p.credential_id = c.id))
    OFFSET 0
  ) AS pass
  RETURNING credential_id
)`,
    due: `SELECT credential_id AS "credentialId" FROM wallet_changes_made LIMIT 1`,
  }),
  wake(due) {
    if (due.length > 0) nudge("wallets");
  },
};
