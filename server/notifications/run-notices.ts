import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { isDue } from "@/server/scim/removals/due";
import { insertNotices, toldForMs, toOwnersAndAdmins } from "./endpoint-notices";

/** The content of a notification about a held run, as of its queueing. */
export interface RunFacts {
  connectorId: Id<"con">;
  runId: Id<"run">;
  connector: string;
  held: number;
  /** How many of what is held are ends of memberships. Missing in notifications that were queued before there were any. */
  memberships?: number;
  /** Why it is held. */
  reason: string;
}

/**
 * Queues notifications about held runs of connectors of all organisations to each owner and admin,
 * each once (contract section 11). A run that was approved or cancelled is not reported.
 * @returns how many notifications were queued
 */
export async function queueRunNotices(now: Date): Promise<number> {
  const queued = await sql(queue, [now, new Date(now.getTime() - toldForMs)]);
  return queued.length;
}

const queue = `
WITH notices AS (
  SELECT run.org_id, run.id, run.finished_at AS since, 'connector_run_held' AS kind,
    jsonb_build_object('connectorId', run.connector_id, 'runId', run.id, 'connector', c.name, 'held', run.held, 'memberships', coalesce((run.hold ->> 'memberships')::int, 0), 'reason', run.hold ->> 'message') AS facts
  FROM connector_runs run
  CROSS JOIN LATERAL (SELECT name FROM connectors WHERE org_id = run.org_id AND id = run.connector_id AND deleted_at IS NULL OFFSET 0) c
  WHERE run.status = 'held' AND run.finished_at > $2::timestamptz
)
${insertNotices(toOwnersAndAdmins, "$1")}
RETURNING 1`;

/** The content of a notification about waiting removals of a SCIM connection, as of its queueing. */
export interface StagedFacts {
  connectorId: Id<"con">;
  connector: string;
  /** How many people are affected. */
  people: number;
}

/**
 * Queues notifications about a directory's removals that wait for approval: to each owner and admin, from the first
 * removal until none waits, and again whenever ten times as many people wait. Many directories send one request for each
 * person, so the first notification of a collapse is about one person. As in the console, a removal that can no longer
 * happen is not counted.
 *
 * @returns how many notifications were queued
 */
export async function queueStagedNotices(now: Date): Promise<number> {
  const queued = await sql(queueStaged, [now, new Date(now.getTime() - toldForMs)]);
  return queued.length;
}

const queueStaged = `
WITH notices AS (
  SELECT waiting.org_id, concat_ws('/', waiting.connector_id, nullif(length(waiting.people::text), 1)) AS id, waiting.since, 'scim_removals_held' AS kind,
    jsonb_build_object('connectorId', waiting.connector_id, 'connector', c.name, 'people', waiting.people) AS facts
  FROM (
    SELECT org_id, connector_id, min(staged_at) AS since, count(DISTINCT subject_id) AS people FROM scim_removals r
    WHERE state = 'staged' AND ${isDue("r", "r.org_id")} GROUP BY org_id, connector_id
  ) waiting
  CROSS JOIN LATERAL (SELECT name FROM connectors WHERE org_id = waiting.org_id AND id = waiting.connector_id AND deleted_at IS NULL OFFSET 0) c
  WHERE waiting.since > $2::timestamptz AND NOT EXISTS (
    SELECT FROM notifications told WHERE told.org_id = waiting.org_id AND told.kind = 'scim_removals_held' AND told.created_at >= waiting.since
      AND told.facts ->> 'connectorId' = waiting.connector_id::text AND (told.facts ->> 'people')::int >= waiting.people)
)
${insertNotices(toOwnersAndAdmins, "$1")}
RETURNING 1`;

/** The content of a notification about a server whose key differs from the approved one. */
export interface KeyFacts {
  connectorId: Id<"con">;
  runId: Id<"run">;
  connector: string;
  /** The message of the run. */
  reason: string;
}

/**
 * Queues notifications about connectors whose server showed another key: to each owner and admin,
 * once until somebody changes the connector.
 * @returns how many notifications were queued
 */
export async function queueKeyNotices(now: Date): Promise<number> {
  const queued = await sql(queueKeys, [now, new Date(now.getTime() - toldForMs)]);
  return queued.length;
}

const queueKeys = `
WITH notices AS (
  SELECT DISTINCT ON (run.org_id, run.connector_id) run.org_id, run.connector_id AS id, c.updated_at AS since, 'connector_key_changed' AS kind,
    jsonb_build_object('connectorId', run.connector_id, 'runId', run.id, 'connector', c.name, 'reason', run.error ->> 'message') AS facts
  FROM connector_runs run
  CROSS JOIN LATERAL (
    SELECT name, updated_at FROM connectors WHERE org_id = run.org_id AND id = run.connector_id AND deleted_at IS NULL AND updated_at <= run.created_at OFFSET 0) c
  WHERE run.status = 'failed' AND run.error ->> 'code' = 'host_key_changed' AND run.finished_at > $2::timestamptz
  ORDER BY run.org_id, run.connector_id, run.id
)
${insertNotices(toOwnersAndAdmins, "$1")}
RETURNING 1`;

/** The content of a notification about a connector whose run failed or rejected every row, as of its queueing. */
export interface ConnectorFailureFacts {
  connectorId: Id<"con">;
  runId: Id<"run">;
  connector: string;
  /** Why the run failed; null if it rejected every row. */
  reason: string | null;
  rejected: number;
}

/**
 * Queues notifications about connectors whose last run failed or rejected every row of its file, if the schedule or a file
 * sent by SFTP started it: to each owner and admin, once until a run of the connector ends well. A
 * run that finds no new file ends failures, but not rejections. A server with another key is reported by queueKeyNotices, and
 * a paused connector is not reported.
 * @returns how many notifications were queued
 */
export async function queueConnectorFailureNotices(now: Date): Promise<number> {
  const queued = await sql(queueFailures, [now, new Date(now.getTime() - toldForMs)]);
  return queued.length;
}

/** SQL: whether the run could use no row of its file. */
const rejectsAll = (run: string) =>
  `(${run}.status = 'succeeded' AND ${run}.rows > 0 AND ${run}.rejected = ${run}.rows)`;

/** SQL: whether the run is one to report. */
const isFailure = (run: string) =>
  `(${run}.trigger IN ('schedule', 'sftp') AND (${run}.status = 'failed' AND ${run}.error ->> 'code' IS DISTINCT FROM 'host_key_changed' OR ${rejectsAll(run)}))`;

const queueFailures = `
WITH notices AS (
  SELECT run.org_id, run.connector_id AS id, first.since, 'connector_failed' AS kind,
    jsonb_build_object('connectorId', run.connector_id, 'runId', run.id, 'connector', c.name, 'reason', CASE WHEN run.status = 'failed' THEN run.error ->> 'message' END, 'rejected', run.rejected) AS facts
  FROM connector_runs run
  CROSS JOIN LATERAL (
    SELECT name FROM connectors WHERE org_id = run.org_id AND id = run.connector_id AND deleted_at IS NULL AND status = 'active' OFFSET 0
  ) c
  CROSS JOIN LATERAL (
    SELECT min(failed.finished_at) AS since FROM connector_runs failed
    WHERE failed.org_id = run.org_id AND failed.connector_id = run.connector_id AND ${isFailure("failed")}
      AND NOT EXISTS (
        SELECT FROM connector_runs well
        WHERE well.org_id = run.org_id AND well.connector_id = run.connector_id AND well.id > failed.id AND well.trigger <> 'undo'
          AND well.status IN ('succeeded', 'held') AND NOT ${rejectsAll("well")} AND (well.rows > 0 OR failed.status = 'failed'))
  ) first
  WHERE ${isFailure("run")} AND run.finished_at > $2::timestamptz AND first.since > $2::timestamptz
    AND NOT EXISTS (
      SELECT FROM connector_runs later
      WHERE later.org_id = run.org_id AND later.connector_id = run.connector_id AND later.id > run.id AND later.status NOT IN ('queued', 'running', 'cancelled'))
)
${insertNotices(toOwnersAndAdmins, "$1")}
RETURNING 1`;
