import { queueSql, sql } from "@/server/core/db";
import { env } from "@/server/core/env";
import { earliestId } from "@/server/core/ids";

const dayMs = 86_400_000;
const batchSize = 5000;

/** Deliveries stay this much longer than events and attempts, so that a resend can still say that its event has expired. */
const deliveriesLongerDays = 30;

/** Longer than notices are told (server/notifications/endpoint-notices.ts): a notice that was told and forgotten would be told again. */
const notificationDays = 30;

/** A place from which somebody signed in is known for this long after the session (server/access/guessing.ts); then its address goes. */
const sessionDays = 30;

export type Purged = Record<"events" | "attempts" | "deliveries" | "statistics" | "idempotencyRecords" | "accessTokens" | "links" | "sessions" | "securityEvents" | "challenges" | "notifications" | "accountMails", number>;

/**
 * Removes what is older than its lifetime, in batches of one short statement each, so that nothing else waits. Stops at `until`
 * at the latest; the next call goes on from there.
 */
export async function purgeExpired(now: Date, until: Date): Promise<Purged> {
  const { RETENTION_EVENTS_DAYS: eventDays, RETENTION_ATTEMPTS_DAYS: attemptDays, RETENTION_SECURITY_DAYS: securityDays } = env();
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  const purge = (text: string, ...values: unknown[]) => inBatches(until, () => queueSql(text, [...values, batchSize]));
  const purged: Purged = { events: 0, attempts: 0, deliveries: 0, statistics: 0, idempotencyRecords: 0, accessTokens: 0, links: 0, sessions: 0, securityEvents: 0, challenges: 0, notifications: 0, accountMails: 0 };
  for (const { id } of await sql<{ id: string }>(`SELECT id FROM organisations ORDER BY id`)) {
    purged.attempts += await purge(oldAttempts, id, earliestId("att", before(attemptDays)));
    purged.events += await purge(oldEvents, id, earliestId("evt", before(eventDays)));
    purged.deliveries += await purge(oldDeliveries, id, earliestId("dlv", before(Math.max(eventDays, attemptDays) + deliveriesLongerDays)));
  }
  purged.statistics = await purge(oldStatistics, before(attemptDays));
  purged.idempotencyRecords = await purge(oldIdempotencyRecords, now);
  purged.accessTokens = await purge(oldAccessTokens, now);
  purged.links = await purge(oldLinks, now);
  purged.securityEvents = await purge(oldSecurityEvents, before(securityDays));
  purged.sessions = await purge(oldSessions, before(sessionDays));
  purged.challenges = await purge(oldChallenges, now);
  purged.notifications = await purge(oldNotifications, before(notificationDays));
  purged.accountMails = await purge(oldAccountMails, before(notificationDays));
  return purged;
}

async function inBatches(until: Date, purgeOne: () => Promise<unknown[]>): Promise<number> {
  let total = 0;
  for (let removed = batchSize; removed === batchSize && Date.now() < until.getTime(); total += removed) removed = (await purgeOne()).length;
  return total;
}

// Ids sort by time, so that the oldest of an organisation are the first of its primary key.
const oldest = (table: string, condition: string) => `
DELETE FROM ${table} WHERE org_id = $1 AND id = ANY(ARRAY(
  SELECT id FROM ${table} WHERE org_id = $1 AND id < $2 AND ${condition} ORDER BY id LIMIT $3
)) RETURNING 1`;

const oldAttempts = oldest("webhook_attempts", "true");
const oldEvents = oldest("events", "sequence IS NOT NULL");
// What waits for a paused endpoint stays; without its event it will be cancelled when it is its turn.
const oldDeliveries = oldest("webhook_deliveries", "status <> 'pending'");

const oldStatistics = `
DELETE FROM webhook_statistics WHERE ctid = ANY(ARRAY(SELECT ctid FROM webhook_statistics WHERE hour < $1 LIMIT $2)) RETURNING 1`;
const oldIdempotencyRecords = `
DELETE FROM idempotency_records WHERE ctid = ANY(ARRAY(SELECT ctid FROM idempotency_records WHERE expires_at <= $1 LIMIT $2)) RETURNING 1`;
const oldAccessTokens = `
DELETE FROM access_tokens WHERE ctid = ANY(ARRAY(SELECT ctid FROM access_tokens WHERE expires_at <= $1 LIMIT $2)) RETURNING 1`;
const oldLinks = `
DELETE FROM one_time_links WHERE ctid = ANY(ARRAY(SELECT ctid FROM one_time_links WHERE expires_at <= $1 LIMIT $2)) RETURNING 1`;
const oldSessions = `
DELETE FROM console_sessions WHERE ctid = ANY(ARRAY(SELECT ctid FROM console_sessions WHERE expires_at <= $1 LIMIT $2)) RETURNING 1`;
const oldChallenges = `
DELETE FROM challenges WHERE ctid = ANY(ARRAY(SELECT ctid FROM challenges WHERE expires_at <= $1 LIMIT $2)) RETURNING 1`;
const oldSecurityEvents = `
DELETE FROM security_events WHERE ctid = ANY(ARRAY(SELECT ctid FROM security_events WHERE last_at < $1 LIMIT $2)) RETURNING 1`;
const oldNotifications = `
DELETE FROM notifications WHERE ctid = ANY(ARRAY(SELECT ctid FROM notifications WHERE created_at < $1 LIMIT $2)) RETURNING 1`;
const oldAccountMails = `
DELETE FROM account_mails WHERE ctid = ANY(ARRAY(SELECT ctid FROM account_mails WHERE created_at < $1 LIMIT $2)) RETURNING 1`;
