import { randomUUID } from "node:crypto";
import { queuePool, queueSql } from "@/server/core/db";
import { Failures } from "@/server/core/failures";
import { nudge } from "@/server/core/nudge";
import { transaction } from "@/server/core/transaction";
import { waitsMs } from "@/server/messages/view";
import { attemptMessage, tooOld, type ClaimedMessage } from "./attempt-message";
import { createMailer, leaseMs } from "./hand-over";
import { leases } from "./message-leases";
import { recordMessage } from "./record-message";
import type { MailSettings } from "./settings";

/** How many e-mails are claimed together. They are sent concurrently, each on its own connection. */
const batch = 5;

/** A call claims nothing more after this time; the next call continues. */
const withinMs = 10_000;

/**
 * Sends the due messages to holders. Each is sent at most once: a message is not sent again if its process ended while
 * holding it, or if the connection ended after the whole message was sent, because it is unknown whether the mail
 * server accepted it. The outbox says so, and somebody can send it again (docs/decisions/459). A failure does not stop
 * the others; its error is thrown in the end.
 *
 * @returns how many were sent
 */
export async function sendMessages(settings: MailSettings | undefined, now: () => Date): Promise<{ sent: number }> {
  await failOldMessages(now());
  if (!settings) return { sent: 0 };
  const mailer = createMailer(settings);
  const until = now().getTime() + withinMs;
  const failures = new Failures();
  let sent = 0;
  for (let claimed = await claim(now()); claimed.length > 0; claimed = await claim(now())) {
    const outcomes = await Promise.all(
      claimed.map((message) =>
        failures.keep(
          attemptMessage(mailer, settings, message, now()).then(async (result) => {
            await transaction((tx) => recordMessage(tx, message, result, now()), queuePool());
            return result.outcome;
          }),
        ),
      ),
    );
    sent += outcomes.filter((outcome) => outcome === "sent").length;
    if (now().getTime() < until) continue;
    // Continue with the rest of a large backlog at once, and not in the next minute.
    nudge("mails");
    break;
  }
  failures.throw();
  return { sent };
}

function claim(now: Date): Promise<ClaimedMessage[]> {
  return queueSql<ClaimedMessage>(claimStatement, [now, batch, randomUUID(), new Date(now.getTime() + leaseMs)]);
}

// Organisations take turns: the first message of each comes before the second of any. The index returns the
// organisations with pending messages one by one, so a backlog is not read. A row that is held by a lease when it is
// claimed belongs to a process that has ended.
const claimStatement = `
WITH RECURSIVE waiting AS (
  (SELECT org_id FROM messages WHERE state = 'pending' ORDER BY org_id LIMIT 1)
  UNION ALL
  SELECT (SELECT m.org_id FROM messages m WHERE m.state = 'pending' AND m.org_id > waiting.org_id ORDER BY m.org_id LIMIT 1)
  FROM waiting WHERE waiting.org_id IS NOT NULL
), turns AS (
  SELECT next.*, row_number() OVER (PARTITION BY next.org_id ORDER BY next.next_attempt_at, next.id) AS turn FROM waiting
  JOIN organisations o ON o.id = waiting.org_id AND o.suspended_at IS NULL
  CROSS JOIN LATERAL (
    SELECT m.org_id, m.id, m.next_attempt_at FROM messages m
    WHERE m.org_id = o.id AND ${leases.claimable("m", "$1", "$3")} ORDER BY m.next_attempt_at LIMIT $2
  ) next
), due AS MATERIALIZED (
  SELECT m.ctid AS tid, m.claim_id IS NOT NULL AND m.claim_id <> $3 AS interrupted FROM turns JOIN messages m ON m.org_id = turns.org_id AND m.id = turns.id
  WHERE ${leases.claimable("m", "$1", "$3")} ORDER BY turns.turn, turns.next_attempt_at LIMIT $2 FOR UPDATE OF m SKIP LOCKED
)
${leases.claim("due", "$3", "$4", ", attempts = leased.attempts + 1")}
RETURNING leased.org_id, leased.id, leased.claim_id, leased.kind, leased.credential_id, leased.confirmation_id, leased.address, leased.about, leased.attempts, leased.asked_at, due.interrupted`;

/** How many overdue messages one call fails. */
const oldBatch = 5000;

/**
 * A message that nobody tried to send for seven days is no longer sent, even without a mail server. The time of the
 * next attempt is compared, so that the index of due messages finds these rows and a backlog is not read.
 */
async function failOldMessages(now: Date): Promise<void> {
  await queueSql(failOld, [new Date(now.getTime() - waitsMs), oldBatch, now, tooOld]);
}

const failOld = `
WITH RECURSIVE waiting AS (
  (SELECT org_id FROM messages WHERE state = 'pending' ORDER BY org_id LIMIT 1)
  UNION ALL
  SELECT (SELECT m.org_id FROM messages m WHERE m.state = 'pending' AND m.org_id > waiting.org_id ORDER BY m.org_id LIMIT 1)
  FROM waiting WHERE waiting.org_id IS NOT NULL
), old AS MATERIALIZED (
  SELECT each.* FROM waiting CROSS JOIN LATERAL (
    SELECT m.ctid AS tid FROM messages m WHERE m.org_id = waiting.org_id AND m.state = 'pending' AND m.next_attempt_at < $1 AND (m.lease_until IS NULL OR m.lease_until < $3)
    ORDER BY m.next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ) AS each LIMIT $2
), failed AS (
  UPDATE messages m SET state = 'failed', error = $4, claim_id = NULL, lease_until = NULL, updated_at = $3 FROM old WHERE m.ctid = old.tid
  RETURNING m.org_id, m.credential_id, m.address, m.asked_at
)
UPDATE credential_channels ch SET status = 'failed', error = $4, updated_at = $3 FROM failed
WHERE ch.org_id = failed.org_id AND ch.credential_id = failed.credential_id AND ch.type = 'email' AND ch.status = 'pending' AND lower(ch.address) = lower(failed.address)`;
