import { randomUUID } from "node:crypto";
import { queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { LeasedTable } from "@/server/reactions/leased-table";
import { leaseMs, nextState, type Outcome } from "./hand-over";
import type { Notice } from "./letter";

/** How many e-mails are claimed together. They are sent concurrently, each on its own connection. */
const batch = 5;

export type Claimed = Notice & {
  org_id: Id<"org">;
  dedupe_key: string;
  claim_id: Id<"req">;
  attempts: number;
  email: string;
};

/** The leases of due notifications. */
const leases = new LeasedTable<Pick<Claimed, "org_id" | "dedupe_key" | "claim_id">>({
  table: "notifications",
  key: { org_id: { type: "uuid", of: (n) => n.org_id }, dedupe_key: { type: "text", of: (n) => n.dedupe_key } },
  claimId: { type: "uuid", of: (n) => n.claim_id },
  status: "state",
  due: "next_attempt_at",
});

/**
 * Claims due notifications to people who are still owners or admins and whose address is verified. The attempt is
 * counted here, before it is made, so that an e-mail that crashes the process is not retried for ever.
 */
export function claimNotifications(now: Date): Promise<Claimed[]> {
  return queueSql<Claimed>(claim, [now, batch, randomUUID(), new Date(now.getTime() + leaseMs)]);
}

const claim = `
WITH due AS MATERIALIZED (
  SELECT n.ctid AS tid, person.email, o.name, json_build_object('timeZone', o.time_zone, 'locale', o.locale) AS region FROM notifications n
  CROSS JOIN LATERAL (SELECT FROM memberships WHERE org_id = n.org_id AND user_id = n.user_id AND role IN ('owner', 'admin') OFFSET 0) m
  CROSS JOIN LATERAL (SELECT email FROM users WHERE id = n.user_id AND email_verified_at IS NOT NULL OFFSET 0) person
  CROSS JOIN LATERAL (SELECT * FROM organisations WHERE id = n.org_id AND suspended_at IS NULL OFFSET 0) o
  WHERE ${leases.claimable("n", "$1", "$3")} ORDER BY n.next_attempt_at LIMIT $2 FOR UPDATE OF n SKIP LOCKED
)
${leases.claim("due", "$3", "$4", ", attempts = leased.attempts + 1")}
RETURNING leased.org_id, leased.dedupe_key, leased.claim_id, leased.kind, leased.facts, leased.attempts, due.email, due.name AS organisation, due.region`;

/** Keeps the notifications that wait, without sending them: there is no mail server. */
export async function keepUnsent(): Promise<void> {
  await queueSql(`UPDATE notifications SET state = 'unsent' WHERE state = 'pending'`);
}

/** Records the outcome of an attempt, unless another process has claimed the notification since. */
export async function recordOutcome(
  claimed: Pick<Claimed, "org_id" | "dedupe_key" | "claim_id" | "attempts">,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const { state, dueAt } = nextState(outcome, claimed.attempts, now);
  await queueSql(record, [...leases.columns([claimed]), state, dueAt]);
}

const record = leases.release(`state = $${leases.next}, next_attempt_at = $${leases.next + 1}`);
