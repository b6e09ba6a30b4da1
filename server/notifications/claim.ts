import { randomUUID } from "node:crypto";
import { queueSql } from "@/server/core/db";
import type { Region } from "@/server/core/dates";
import type { EndpointFacts } from "./endpoint-news";
import { waitAfter, type Outcome } from "./hand-over";

/** Longer than a message can take (settings.ts), so that two servers do not send one. */
const leaseMs = 5 * 60_000;

/** Sent at once, each on a connection of its own. */
const batch = 5;

export interface Claimed {
  org_id: string;
  dedupe_key: string;
  claim_id: string;
  kind: "endpoint_failing" | "endpoint_last_warning" | "endpoint_disabled";
  facts: EndpointFacts;
  attempts: number;
  email: string;
  organisation: string;
  region: Region;
}

/** Takes what is due to people who are owners or admins still and whose address is verified. An attempt counts when it begins: what ends its process is not tried for ever. */
export function claimNotifications(now: Date): Promise<Claimed[]> {
  return queueSql<Claimed>(claim, [now, batch, randomUUID(), new Date(now.getTime() + leaseMs)]);
}

const claim = `
WITH due AS MATERIALIZED (
  SELECT n.ctid AS tid, person.email, o.name, json_build_object('timeZone', o.time_zone, 'locale', o.locale) AS region FROM notifications n
  CROSS JOIN LATERAL (SELECT FROM memberships WHERE org_id = n.org_id AND user_id = n.user_id AND role IN ('owner', 'admin') OFFSET 0) m
  CROSS JOIN LATERAL (SELECT email FROM users WHERE id = n.user_id AND email_verified_at IS NOT NULL OFFSET 0) person
  CROSS JOIN LATERAL (SELECT * FROM organisations WHERE id = n.org_id AND suspended_at IS NULL OFFSET 0) o
  WHERE n.state = 'pending' AND n.next_attempt_at <= $1 ORDER BY n.next_attempt_at LIMIT $2 FOR UPDATE OF n SKIP LOCKED
)
UPDATE notifications n SET claim_id = $3, next_attempt_at = $4, attempts = n.attempts + 1
FROM due WHERE n.ctid = due.tid
RETURNING n.org_id, n.dedupe_key, n.claim_id, n.kind, n.facts, n.attempts, due.email, due.name AS organisation, due.region`;

/** Records what became of an attempt, where our claim still holds. */
export async function settle(claimed: Claimed, outcome: Outcome, now: Date): Promise<void> {
  const wait = outcome === "retry" ? waitAfter(claimed.attempts) : undefined;
  const state = outcome === "sent" ? "sent" : wait === undefined ? "failed" : "pending";
  await queueSql(
    `UPDATE notifications SET state = $4, next_attempt_at = $5, claim_id = NULL WHERE org_id = $1 AND dedupe_key = $2 AND claim_id = $3`,
    [claimed.org_id, claimed.dedupe_key, claimed.claim_id, state, new Date(now.getTime() + (wait ?? 0))],
  );
}
