import { asBackground, sql } from "@/server/core/db";
import { newId, type Id } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { transaction } from "@/server/core/transaction";
import { PullError } from "../http/pull-error";
import { openSecret } from "../http/secret";
import { serverOf } from "../server-of";
import { listMeant } from "../sftp/choose-file";
import { moveAway } from "../sftp/move-away";
import type { Origin } from "../sftp/origin";
import { remotePlace } from "../sftp/remote-path";
import { reportedErrors, reportOf, type Reported, type ReportedError } from "../sftp/report";
import { withSftp } from "../sftp/session";
import type { SftpFetchSettings } from "../sftp/settings";
import { connectorColumns, type ConnectorRow } from "../view";
import { hasRoom, queueRun } from "./queue-run";
import { workColumns, type Work } from "./work";

const leaseMs = 5 * 60_000;
const moveMs = 2 * 60_000;
const maxAttempts = 5;
/** The wait after a failed attempt in milliseconds, times the number of attempts. */
const againMs = 60_000;

interface Filed extends Work, Pick<Reported, "status"> {
  claim_id: Id<"req">;
  origin: Origin;
}

/**
 * Moves the file of a finished run to archive/ or error/ on its server, and writes a report next to it. A failure does not
 * change the run's result, but the connector starts no other fetch before. Queues a further run if more files wait. Safe to
 * repeat, because the target names come from the run.
 * @returns false if there is nothing to move
 */
export function fileAway(now: Date): Promise<boolean> {
  return asBackground(async () => {
    const [run] = await sql<Filed>(claim, [now, newId("req"), new Date(now.getTime() + leaseMs)]);
    if (!run) return false;
    const [connector] = await sql<ConnectorRow & { secret: Buffer | null }>(
      `SELECT ${connectorColumns}, secret FROM connectors WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [run.org_id, run.connector_id],
    );
    if (!connector || serverOf(connector.settings) !== run.origin.server)
      await over(run, { problem: "The connector's server was changed since, so the file stayed in its folder." });
    else await fileOf(run, connector, now);
    return true;
  });
}

const claim = `
UPDATE connector_runs SET claim_id = $2, lease_until = $3 WHERE (org_id, id) = (
  SELECT run.org_id, run.id FROM connector_runs run
  WHERE filing_at <= $1 AND status NOT IN ('queued', 'running') AND (lease_until IS NULL OR lease_until <= $1)
  AND NOT EXISTS (SELECT 1 FROM organisations o WHERE o.id = run.org_id AND o.suspended_at IS NOT NULL)
  ORDER BY filing_at LIMIT 1 FOR UPDATE OF run SKIP LOCKED)
RETURNING ${workColumns}, claim_id`;

async function fileOf(run: Filed, connector: ConnectorRow & { secret: Buffer | null }, now: Date): Promise<void> {
  const settings = connector.settings as SftpFetchSettings;
  const access = {
    settings,
    secret: openSecret(run.connector_id, connector.secret),
    signal: AbortSignal.timeout(moveMs),
  };
  const errors = await sql<ReportedError>(
    `SELECT line, "column", message FROM connector_row_errors WHERE org_id = $1 AND run_id = $2 ORDER BY line, "index" LIMIT ${reportedErrors}`,
    [run.org_id, run.id],
  );
  let more = false;
  try {
    more = await withSftp(access, async (remote) => {
      const movedTo = await moveAway(remote, run, reportOf(run, errors));
      await over(run, { movedTo });
      return (await listMeant(remote, remotePlace(settings.path))).length > 0;
    });
  } catch (error) {
    const attempts = (run.origin.attempts ?? 0) + 1;
    const why =
      error instanceof PullError
        ? error.message.replace(/ ?Nobody was changed\.?/, "")
        : "The server did not allow to move the file. Give the user the right to write, rename and create folders there.";
    if (attempts >= maxAttempts) return over(run, { attempts, problem: why });
    log().warn({ err: error, attempts }, "a file could not be moved to archive/ or error/");
    await sql(
      `UPDATE connector_runs SET origin = origin || $4::jsonb, filing_at = $5, claim_id = NULL, lease_until = NULL WHERE org_id = $1 AND id = $2 AND claim_id = $3`,
      [run.org_id, run.id, run.claim_id, { attempts }, new Date(now.getTime() + attempts * againMs)],
    );
  }
  if (more && run.status !== "cancelled") await queueNext(run, now);
}

async function over(run: Filed, origin: Partial<Origin>): Promise<void> {
  await sql(
    `UPDATE connector_runs SET origin = origin || $4::jsonb, filing_at = NULL, claim_id = NULL, lease_until = NULL WHERE org_id = $1 AND id = $2 AND claim_id = $3`,
    [run.org_id, run.id, run.claim_id, origin],
  );
}

/** Queues a run for the next file, with the actor of this run. If too many runs wait, leaves it to the schedule. */
async function queueNext(run: Filed, now: Date): Promise<void> {
  await transaction(async (tx) => {
    const [connector] = await tx.sql<ConnectorRow>(
      `SELECT ${connectorColumns} FROM connectors c WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL AND status = 'active'
         AND NOT EXISTS (SELECT FROM connector_runs r WHERE r.org_id = c.org_id AND r.connector_id = c.id AND r.status IN ('queued', 'running'))
       FOR UPDATE OF c`,
      [run.org_id, run.connector_id],
    );
    if (!connector) return;
    const { org_id: orgId, actor, scopes, access_token } = run;
    const ctx = { orgId, actor, scopes: new Set(scopes), requestId: actor.id, now, tx };
    if (!(await hasRoom(ctx))) return;
    await queueRun(ctx, connector, { trigger: run.trigger, actor, scopes, accessToken: access_token ?? undefined });
  });
}
