import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { insertNotices, toldForMs, toOwnersAndAdmins } from "./endpoint-notices";

/** The content of a notification about a held run, as of its queueing. */
export interface RunFacts {
  connectorId: Id<"con">;
  runId: Id<"run">;
  connector: string;
  held: number;
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
    jsonb_build_object('connectorId', run.connector_id, 'runId', run.id, 'connector', c.name, 'held', run.held, 'reason', run.hold ->> 'message') AS facts
  FROM connector_runs run
  CROSS JOIN LATERAL (SELECT name FROM connectors WHERE org_id = run.org_id AND id = run.connector_id AND deleted_at IS NULL OFFSET 0) c
  WHERE run.status = 'held' AND run.finished_at > $2::timestamptz
)
${insertNotices(toOwnersAndAdmins, "$1")}
RETURNING 1`;
