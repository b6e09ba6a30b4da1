import { isForgettable } from "@/server/core/forgettable-token";
import { sweepBlobs } from "@/server/core/blobs/store";
import { queueSql, sql } from "@/server/core/db";
import { env } from "@/server/core/env";
import { Failures } from "@/server/core/failures";
import { log } from "@/server/core/log";
import { earliestId, type Id } from "@/server/core/ids";

const dayMs = 86_400_000;
const batchSize = 5000;

/**
 * Deliveries are kept this much longer than events and attempts, so that a resend can say that the event has expired.
 */
const deliveriesLongerDays = 30;

/**
 * Must be longer than notices are queued (`toldForMs` in server/notifications/endpoint-notices.ts): a notice that was
 * sent and removed would be sent again.
 */
const notificationDays = 30;

/**
 * The network address of a sign-in counts as known for this long after the session (server/access/guessing.ts). Then
 * the address is removed.
 */
const sessionDays = 30;

/** Longer than the period of the console's chart in any time zone (server/credentials/daily.ts). */
const actionCountDays = 35;

/**
 * Changes of a status list that nobody has read for this long. The next read rebuilds the list from the credentials.
 */
const statusChangeDays = 7;

/** Requests of directories; the newest ones of each connection are kept (server/scim/requests/record.ts). */
const directoryRequestDays = 30;
/** Runs of connectors, with their errors and removals. The last ones of each are kept: the next file is compared with them. */
const connectorRunDays = 180;

/** Decided or dropped removals of directories. The limit counts those of one day. */
const directoryRemovalDays = 30;

/** How long phones stay listed after their holders removed a pass. */
const removedChannelDays = 90;

/** The outbox: messages that no longer wait. Waiting messages fail after seven days. */
const messageDays = 90;
/** Confirmed and cancelled requests to confirm a name. Waiting ones stay until somebody decides. */
const decidedConfirmationDays = 90;
/** Finished imports of photos, with their rejected files. */
const photoImportDays = 90;
/** Rejected claims, with the entered values. Afterwards the address can claim again. */
const rejectedClaimDays = 90;

export type Purged = Record<
  | "partitions"
  | "events"
  | "attempts"
  | "deliveries"
  | "statistics"
  | "actionCounts"
  | "idempotencyRecords"
  | "accessTokens"
  | "links"
  | "sessions"
  | "securityEvents"
  | "challenges"
  | "notifications"
  | "accountMails"
  | "connectors"
  | "runChanges"
  | "connectorRuns"
  | "statusChanges"
  | "directoryRemovals"
  | "directoryRequests"
  | "walletPasses"
  | "googlePasses"
  | "removedChannels"
  | "messages"
  | "addressProofs"
  | "holderSessions"
  | "rejectedClaims"
  | "nameConfirmations"
  | "photoImports"
  | "blobs",
  number
>;

/**
 * Removes rows that are older than their lifetime, in batches of one short statement each, so that other work does not
 * wait. Kinds take turns batch by batch, and so do organisations within a kind, the one with the oldest rows first, so
 * a large backlog does not delay the others. A kind that fails, such as files of a store that cannot be reached, ends
 * for this call and does not stop the others. Begins no batch after `until`; the next call goes on.
 *
 * @returns how many rows of each kind were removed
 * @throws the first error of a kind, once the others are done
 */
export async function purgeExpired(now: Date, until: Date): Promise<Purged> {
  const {
    RETENTION_EVENTS_DAYS: eventDays,
    RETENTION_ATTEMPTS_DAYS: attemptDays,
    RETENTION_SECURITY_DAYS: securityDays,
  } = env();
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  const deliveriesBefore = before(Math.max(eventDays, attemptDays) + deliveriesLongerDays);
  const kinds: Record<keyof Purged, Kind> = {
    // Most of the attempts, events and deliveries. What follows removes rows of no week, such as imported ones.
    partitions: expiredPartitions(before(eventDays), before(attemptDays), deliveriesBefore),
    attempts: ofOrganisations("webhook_attempts_default", before(attemptDays), "true"),
    // Events without a number are kept: they are not in event_log yet.
    events: ofOrganisations("event_log_default", before(eventDays), "true", bodiesOfRemoved),
    // Pending deliveries, such as those of a paused endpoint, are kept, and so is the partition of their week, of which the
    // others are removed here. Without its event, a delivery is cancelled when it is due.
    deliveries: ofOrganisations("webhook_deliveries", weekOf(deliveriesBefore), "status <> 'pending'"),
    statistics: ofAll(oldStatistics, before(attemptDays)),
    actionCounts: ofAll(oldActionCounts, before(actionCountDays)),
    idempotencyRecords: ofAll(oldIdempotencyRecords, now),
    accessTokens: ofAll(oldAccessTokens, now),
    links: ofAll(oldLinks, now),
    sessions: ofAll(oldSessions, before(sessionDays)),
    securityEvents: ofAll(oldSecurityEvents, before(securityDays)),
    challenges: ofAll(oldChallenges, now),
    notifications: ofAll(oldNotifications, before(notificationDays)),
    accountMails: ofAll(oldAccountMails, before(notificationDays)),
    runChanges: ofAll(oldRunChanges, now),
    connectorRuns: ofAll(oldConnectorRuns, before(connectorRunDays)),
    connectors: ofAll(deletedConnectors, before(notificationDays)),
    statusChanges: ofAll(oldStatusChanges, before(statusChangeDays)),
    // A removal that was staged long ago and discarded less than a day ago is needed: it waits again when the directory
    // repeats it.
    directoryRemovals: ofOrganisations(
      "scim_removals",
      before(directoryRemovalDays),
      `state <> 'staged' AND (discarded_at IS NULL OR discarded_at < '${before(1).toISOString()}')`,
    ),
    directoryRequests: ofAll(oldDirectoryRequests, before(directoryRequestDays)),
    walletPasses: ofAll(forgottenPasses, now),
    googlePasses: ofAll(forgottenGooglePasses, now),
    removedChannels: ofAll(removedChannels, before(removedChannelDays)),
    messages: ofOrganisations("messages", before(messageDays), "state <> 'pending'"),
    addressProofs: ofAll(oldAddressProofs, before(1)),
    holderSessions: ofAll(oldHolderSessions, now),
    nameConfirmations: ofAll(oldConfirmations, before(decidedConfirmationDays)),
    rejectedClaims: ofAll(oldRejectedClaims, before(rejectedClaimDays)),
    photoImports: ofAll(oldPhotoImports, before(photoImportDays)),
    blobs: () => sweepBlobs(tablesWithBlobs),
  };
  const purged = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0])) as Purged;
  const waiting = Object.entries(kinds) as [keyof Purged, Kind][];
  const failures: unknown[] = [];
  while (waiting.length > 0 && Date.now() < until.getTime()) {
    const [name, removeBatch] = waiting.shift()!;
    try {
      const { removed, more } = await removeBatch();
      purged[name] += removed;
      if (more) waiting.push([name, removeBatch]);
    } catch (error) {
      log().error({ err: error, kind: name }, "expired rows of a kind could not be removed; the other kinds go on");
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return purged;
}

/**
 * Every table that refers to blobs. If one is missing here, its foreign key keeps the sweep from deleting its blobs.
 */
const tablesWithBlobs = ["subject_photos", "achievement_images", "connector_runs", "photo_imports"];

/** Removes the next batch of one kind. */
type Kind = () => Promise<{ removed: number; more: boolean }>;

/**
 * A kind that is removed for all organisations at once, by a statement with the bound as $1 and the batch size as $2.
 */
function ofAll(text: string, bound: Date): Kind {
  return async () => {
    const { length: removed } = await queueSql(text, [bound, batchSize]);
    return { removed, more: removed === batchSize };
  };
}

/**
 * The partitions of weeks that are over, one a call: so a table is locked for a moment only. If a transaction uses the
 * table for longer than the function waits, the partition stays until the next purge.
 */
function expiredPartitions(events: Date, attempts: Date, deliveries: Date): Kind {
  return async () => {
    const [row] = await queueSql<{ name: string | null }>(
      `SELECT drop_expired_partition($1, $2, $3) AS name`,
      [events, attempts, deliveries],
      false,
    ).catch((error: unknown) => {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
      log().warn({ err: error }, "an expired partition is in use; the next purge drops it");
      return [{ name: null }];
    });
    return { removed: row!.name ? 1 : 0, more: row!.name !== null };
  };
}

const lockNotAvailable = "55P03";

/** The beginning of the week of a time, as the database's function `week_of` counts weeks. */
const weekOf = (time: Date) => new Date(time.getTime() - (time.getTime() % (7 * dayMs)));

/**
 * A kind that is removed organisation by organisation. Its ids sort by time, so an organisation's oldest rows are the
 * first ones in its primary key. An organisation that fails does not stop the others; its error is thrown in the end.
 * @param also common table expressions that remove dependent rows
 */
function ofOrganisations(table: string, bound: Date, condition: string, also = ""): Kind {
  // The bounds are the same for ids of every prefix.
  const [beginning, end] = [earliestId("evt", new Date(0)), earliestId("evt", bound)];
  const waiting = async () =>
    (await sql<{ orgId: Id<"org"> }>(organisationsWithOld(table, condition), [end])).map(({ orgId }) => ({
      orgId,
      after: beginning,
    }));
  let line: { orgId: Id<"org">; after: Id }[] | undefined;
  const failures = new Failures();
  return async () => {
    line ??= await waiting();
    const turn = line.shift();
    if (!turn) {
      failures.throw();
      return { removed: 0, more: false };
    }
    // Continue after the last removed row: removed rows stay in the index until it is vacuumed.
    const removing = queueSql<{ id: Id }>(oldOfOrganisation(table, condition, also), [
      turn.orgId,
      turn.after,
      end,
      batchSize,
    ]);
    const rows = (await failures.keep(removing)) ?? [];
    if (rows.length === batchSize) line.push({ orgId: turn.orgId, after: rows.at(-1)!.id });
    return { removed: rows.length, more: line.length > 0 || failures.any };
  };
}

/** Finds the organisations with old rows, the oldest first, by one look into the primary key for each organisation. */
const organisationsWithOld = (table: string, condition: string) => `
SELECT o.id AS "orgId" FROM organisations o CROSS JOIN LATERAL (
  SELECT id FROM ${table} WHERE org_id = o.id AND id < $1 AND ${condition} ORDER BY id LIMIT 1
) AS oldest ORDER BY oldest.id`;

const oldOfOrganisation = (table: string, condition: string, also: string) => `
WITH removed AS (
  DELETE FROM ${table} WHERE org_id = $1 AND id = ANY(ARRAY(
    SELECT id FROM ${table} WHERE org_id = $1 AND id > $2 AND id < $3 AND ${condition} ORDER BY id LIMIT $4
  )) RETURNING org_id, id
)${also} SELECT id FROM removed ORDER BY id`;

const bodiesOfRemoved = `, bodies AS (
  DELETE FROM events e USING removed WHERE e.org_id = removed.org_id AND e.id = removed.id
)`;

const oldStatistics = `
DELETE FROM webhook_statistics WHERE ctid = ANY(ARRAY(SELECT ctid FROM webhook_statistics WHERE hour < $1 LIMIT $2)) RETURNING 1`;
const oldActionCounts = `
DELETE FROM credential_action_counts WHERE ctid = ANY(ARRAY(SELECT ctid FROM credential_action_counts WHERE period < $1 LIMIT $2)) RETURNING 1`;
const oldIdempotencyRecords = `
DELETE FROM idempotency_records WHERE ctid = ANY(ARRAY(SELECT ctid FROM idempotency_records WHERE expires_at <= $1 LIMIT $2)) RETURNING 1`;
const oldAccessTokens = `
DELETE FROM access_tokens WHERE ctid = ANY(ARRAY(SELECT ctid FROM access_tokens WHERE expires_at <= $1 AND ${isForgettable} LIMIT $2)) RETURNING 1`;
const oldLinks = `
DELETE FROM one_time_links WHERE ctid = ANY(ARRAY(SELECT ctid FROM one_time_links WHERE expires_at <= $1 LIMIT $2)) RETURNING 1`;
const oldSessions = `
DELETE FROM console_sessions WHERE ctid = ANY(ARRAY(SELECT ctid FROM console_sessions WHERE expires_at <= $1 LIMIT $2)) RETURNING 1`;
const oldChallenges = `
DELETE FROM challenges WHERE ctid = ANY(ARRAY(SELECT ctid FROM challenges WHERE expires_at <= $1 LIMIT $2)) RETURNING 1`;
const oldAddressProofs = `
DELETE FROM address_proofs WHERE ctid = ANY(ARRAY(SELECT ctid FROM address_proofs WHERE expires_at <= $1 LIMIT $2)) RETURNING 1`;
const oldHolderSessions = `
DELETE FROM holder_sessions WHERE ctid = ANY(ARRAY(SELECT ctid FROM holder_sessions WHERE expires_at <= $1 LIMIT $2)) RETURNING 1`;
const oldRejectedClaims = `
DELETE FROM claims WHERE ctid = ANY(ARRAY(SELECT ctid FROM claims WHERE state = 'rejected' AND decided_at < $1 LIMIT $2)) RETURNING 1`;
/**
 * Keeps requests that people and the API have cancelled as long as a revoked credential; without them, a policy would
 * ask again (docs/decisions/581).
 */
const oldConfirmations = `
DELETE FROM name_confirmations WHERE ctid = ANY(ARRAY(SELECT ctid FROM name_confirmations WHERE state <> 'waiting' AND decided_at < $1
  AND NOT (exclusive AND state = 'cancelled' AND decided_by ->> 'type' NOT IN ('job', 'public')) LIMIT $2)) RETURNING 1`;
const oldPhotoImports = `
DELETE FROM photo_imports WHERE ctid = ANY(ARRAY(SELECT ctid FROM photo_imports WHERE finished_at < $1 LIMIT least($2, 20))) RETURNING 1`;
const oldSecurityEvents = `
DELETE FROM security_events WHERE ctid = ANY(ARRAY(SELECT ctid FROM security_events WHERE last_at < $1 LIMIT $2)) RETURNING 1`;
const oldNotifications = `
DELETE FROM notifications WHERE ctid = ANY(ARRAY(SELECT ctid FROM notifications WHERE created_at < $1 LIMIT $2)) RETURNING 1`;
const oldAccountMails = `
DELETE FROM account_mails WHERE ctid = ANY(ARRAY(SELECT ctid FROM account_mails WHERE created_at < $1 LIMIT $2)) RETURNING 1`;
const oldDirectoryRequests = `
DELETE FROM scim_requests WHERE ctid = ANY(ARRAY(SELECT ctid FROM scim_requests WHERE at < $1 LIMIT $2)) RETURNING 1`;
/** Removes the subject sources of deleted connectors and what says which memberships they gave, then connectors without any; their runs are removed with them. */
const deletedConnectors = `
WITH gone AS MATERIALIZED (SELECT org_id, id FROM connectors WHERE deleted_at < $1 AND fall_back_after IS NULL LIMIT 10),
provided AS MATERIALIZED (
  SELECT s.ctid AS tid FROM gone CROSS JOIN LATERAL (SELECT ctid FROM subject_sources WHERE org_id = gone.org_id AND source_id = gone.id AND key IS NOT NULL LIMIT $2 OFFSET 0) s
  LIMIT $2
),
freed AS (DELETE FROM subject_sources WHERE ctid = ANY(ARRAY(SELECT tid FROM provided)) RETURNING 1),
given AS MATERIALIZED (
  SELECT m.ctid AS tid FROM gone CROSS JOIN LATERAL (SELECT ctid FROM connector_memberships WHERE org_id = gone.org_id AND connector_id = gone.id LIMIT $2 OFFSET 0) m
  LIMIT $2
),
released AS (DELETE FROM connector_memberships WHERE ctid = ANY(ARRAY(SELECT tid FROM given)) RETURNING 1),
removed AS (
  DELETE FROM connectors c USING gone WHERE c.org_id = gone.org_id AND c.id = gone.id
    AND NOT EXISTS (SELECT FROM subject_sources s WHERE s.org_id = gone.org_id AND s.source_id = gone.id AND s.key IS NOT NULL)
    AND NOT EXISTS (SELECT FROM connector_memberships m WHERE m.org_id = gone.org_id AND m.connector_id = gone.id) RETURNING 1
)
SELECT 1 FROM freed UNION ALL SELECT 1 FROM released UNION ALL SELECT 1 FROM removed`;
const forgottenPasses = `
DELETE FROM apple_passes WHERE ctid = ANY(ARRAY(SELECT ctid FROM apple_passes WHERE forget_at <= $1 LIMIT $2)) RETURNING 1`;
/** A pass that Google has not been told to blank yet stays. */
const forgottenGooglePasses = `
DELETE FROM google_passes WHERE ctid = ANY(ARRAY(SELECT ctid FROM google_passes WHERE forget_at <= $1 AND state = 'idle' LIMIT $2)) RETURNING 1`;
const removedChannels = `
DELETE FROM credential_channels WHERE ctid = ANY(ARRAY(SELECT ctid FROM credential_channels WHERE status = 'removed' AND updated_at < $1 LIMIT $2)) RETURNING 1`;
/**
 * Removes the data of runs for an undo and a correction, and then runs without any. An undo in progress is not
 * interrupted. Changes of memberships that wait for approval stay, because the approval carries them out.
 */
const oldRunChanges = `
WITH gone AS MATERIALIZED (
  SELECT org_id, id FROM connector_runs run WHERE undo_until <= $1 AND status NOT IN ('queued', 'running')
    AND NOT EXISTS (SELECT FROM connector_runs undo WHERE undo.org_id = run.org_id AND undo.id = run.undone_by AND undo.status IN ('queued', 'running') OFFSET 0)
  ORDER BY undo_until LIMIT 500
),
kept AS MATERIALIZED (
  SELECT c.tid FROM gone CROSS JOIN LATERAL (SELECT ctid AS tid FROM connector_changes WHERE org_id = gone.org_id AND run_id = gone.id LIMIT $2 OFFSET 0) c LIMIT $2
),
members AS MATERIALIZED (
  SELECT m.tid FROM gone CROSS JOIN LATERAL (SELECT ctid AS tid FROM connector_member_changes WHERE org_id = gone.org_id AND run_id = gone.id AND state NOT IN ('planned', 'staged') LIMIT $2 OFFSET 0) m LIMIT $2
),
forgotten AS (DELETE FROM connector_member_changes WHERE ctid = ANY(ARRAY(SELECT tid FROM members)) RETURNING 1),
rejected AS (
  DELETE FROM connector_rejected_rows r USING gone WHERE r.org_id = gone.org_id AND r.run_id = gone.id
),
removed AS (DELETE FROM connector_changes WHERE ctid = ANY(ARRAY(SELECT tid FROM kept)) RETURNING 1),
done AS (
  UPDATE connector_runs r SET undo_until = NULL FROM gone WHERE r.org_id = gone.org_id AND r.id = gone.id AND (SELECT count(*) FROM kept) < $2 AND (SELECT count(*) FROM members) < $2
)
SELECT 1 FROM removed UNION ALL SELECT 1 FROM forgotten`;
/** Removes runs that are over and after which their connector has had others, a few at a time: each takes its rows along. */
const oldConnectorRuns = `
DELETE FROM connector_runs r WHERE r.ctid = ANY(ARRAY(
  SELECT run.ctid FROM connector_runs run
  WHERE run.finished_at < $1 AND run.status NOT IN ('queued', 'running', 'held') AND run.phase <> 'clearing' AND run.undo_until IS NULL AND run.filing_at IS NULL
    AND (SELECT count(*) FROM (
      SELECT FROM connector_runs later WHERE later.org_id = run.org_id AND later.connector_id = run.connector_id AND later.id > run.id AND later.status = 'succeeded' LIMIT 10
    ) AS after) = 10
  LIMIT least($2, 20)
)) RETURNING 1`;
const oldStatusChanges = `
WITH removed AS (
  DELETE FROM status_changes WHERE ctid = ANY(ARRAY(SELECT ctid FROM status_changes WHERE created_at < $1 LIMIT $2)) RETURNING org_id, purpose
), dropped AS (
  UPDATE status_lists l SET bits = NULL, revision = l.revision + 1
  FROM (SELECT DISTINCT org_id, purpose FROM removed) AS unread WHERE l.org_id = unread.org_id AND l.purpose = unread.purpose
)
SELECT 1 FROM removed`;
