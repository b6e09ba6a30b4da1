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
 * Queues notifications about held runs of connectors of all organisations to each owner and admin with a verified
 * address, each once (contract section 11). A run that was approved or cancelled is not reported.
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

/** The content of a notification about removals of a SCIM connection that wait, as of its queueing. */
export interface StagedFacts {
  connectorId: Id<"con">;
  connector: string;
  /** How many people it is about. */
  people: number;
}

/**
 * Queues notifications about removals that a directory wants and that wait for a person: to each owner and admin with a
 * verified address, once from the first one on until none waits. A removal that cannot happen any more is not counted, as
 * in the console.
 * @returns how many notifications were queued
 */
export async function queueStagedNotices(now: Date): Promise<number> {
  const queued = await sql(queueStaged, [now, new Date(now.getTime() - toldForMs)]);
  return queued.length;
}

const queueStaged = `
WITH notices AS (
  SELECT waiting.org_id, waiting.connector_id AS id, waiting.since, 'scim_removals_held' AS kind,
    jsonb_build_object('connectorId', waiting.connector_id, 'connector', c.name, 'people', waiting.people) AS facts
  FROM (
    SELECT org_id, connector_id, min(staged_at) AS since, count(DISTINCT subject_id) AS people FROM scim_removals r
    WHERE state = 'staged' AND ${isDue("r", "r.org_id")} GROUP BY org_id, connector_id
  ) waiting
  CROSS JOIN LATERAL (SELECT name FROM connectors WHERE org_id = waiting.org_id AND id = waiting.connector_id AND deleted_at IS NULL OFFSET 0) c
  WHERE waiting.since > $2::timestamptz
)
${insertNotices(toOwnersAndAdmins, "$1")}
RETURNING 1`;

/** The content of a notification about a server that has another key than the one that was approved. */
export interface KeyFacts {
  connectorId: Id<"con">;
  runId: Id<"run">;
  connector: string;
  /** What the run said. */
  reason: string;
}

/**
 * Queues notifications about connectors whose server showed another key: to each owner and admin with a verified
 * address, once until somebody changes the connector.
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
