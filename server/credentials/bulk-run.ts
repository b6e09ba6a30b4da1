import { audit } from "@/server/access/audit";
import { noteStoppedJob } from "@/server/access/note-refusal";
import { standingOf } from "@/server/access/standing";
import type { Actor, TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { asId, isId, publicId, type Id } from "@/server/core/ids";
import { jobCommand, type Mandate } from "@/server/core/operation";
import { RefusedRow } from "@/server/core/refused-row";
import { transaction, type Tx } from "@/server/core/transaction";
import type { Scope } from "@/server/core/scopes";
import { jobColumns, scopeOfJob, type BulkJobRow, withoutTexts } from "./bulk-job";
import { runRows, type RowOutcome } from "./bulk-rows";
import { changeSet, type Changed } from "./change-set";
import { redesign } from "./redesign";
import { revocation } from "./revoke";

/** Rows per chunk: at most half a second of work, since a cancellation waits until the chunk is done. */
const chunk = { request: 200, template: 2000 };
const chunkOf = ({ action }: BulkJobRow) =>
  action === "revoke_template" || action === "apply_version" ? chunk.template : chunk.request;

/**
 * From this many rows on, the job ends with ANALYZE. Autovacuum would take minutes to update PostgreSQL's statistics.
 */
const largeLoad = 5000;
const endsLargeLoad = (before: BulkJobRow) =>
  before.total >= largeLoad && before.succeeded + before.failed + chunkOf(before) >= before.total;
const analyseWhatJobsWrite = "ANALYZE subjects, credentials, credential_history, events, bulk_rows";

interface ClaimedJob extends BulkJobRow {
  org_id: Id<"org">;
  actor: Actor;
  scopes: Scope[];
  access_token: string | null;
}

/**
 * Processes the next chunk of the job whose turn it is. The claim, the rows, their results and the progress are one
 * transaction: if the worker is killed, either all of them are stored or none, and another worker continues from there.
 * The claim is the lock on the job's row. Organisations take turns, chunk by chunk.
 * @returns false if no job is due.
 */
export async function runBulkChunk(now: Date): Promise<boolean> {
  let job: ClaimedJob | undefined;
  try {
    const found = await transaction(async (tx) => {
      [job] = await tx.sql<ClaimedJob>(claimStatement);
      if (!job) return false;
      await runNextRows(
        tx,
        {
          job,
          orgId: job.org_id,
          id: publicId("blk", job.id),
          actor: job.actor,
          accessToken: job.access_token ?? undefined,
          scopes: job.scopes,
          needs: scopeOfJob[job.action],
        },
        now,
      );
      return true;
    });
    if (job && endsLargeLoad(job)) await sql(analyseWhatJobsWrite);
    return found;
  } catch (error) {
    // The organisation was suspended after the claim. The next claim skips its jobs.
    if (error instanceof DomainError && error.code === "organisation_suspended") return true;
    // Count the failed attempt as the organisation's turn, so that a failing chunk does not block the other jobs.
    if (job) await sql(`UPDATE bulk_jobs SET served_at = $3 WHERE org_id = $1 AND id = $2`, [job.org_id, job.id, now]);
    throw error;
  }
}

/**
 * Processes the next rows of a job, or ends the job if its actor is no longer allowed to do this. Ending it leaves an
 * audit entry.
 */
const runNextRows = jobCommand<Mandate & { job: ClaimedJob }, void>({
  name: "bulk.run",
  standing: standingOf,
  async run(ctx, { job }) {
    const rows = await ctx.tx.sql<{ index: number; item: unknown }>(
      `SELECT "index", input AS item FROM bulk_rows WHERE org_id = $1 AND job_id = $2 AND "index" >= $3 ORDER BY "index" LIMIT $4`,
      [job.org_id, job.id, job.succeeded + job.failed, chunkOf(job)],
    );
    await record(ctx.tx, job, await outcomes(ctx, job, rows), ctx.now);
  },
  async stop(ctx, { job }, why) {
    await ctx.tx.sql(
      `UPDATE bulk_jobs SET state = 'stopped', params = ${withoutTexts}, stop_reason = $3, finished_at = greatest($4, started_at) WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, job.id, why, ctx.now],
    );
    noteStoppedJob(ctx, { actor: job.actor, job: publicId("blk", job.id) });
    await audit(
      ctx,
      "bulk_job.stopped",
      { type: "bulk_job", id: publicId("blk", job.id) },
      {
        action: job.action,
        reason: why,
        askedBy: { ...job.actor },
        processed: job.succeeded + job.failed,
        total: job.total,
      },
    );
  },
});

const claimStatement = `
SELECT org_id, actor, scopes, access_token, ${jobColumns} FROM bulk_jobs job WHERE state IN ('queued', 'running')
AND NOT EXISTS (SELECT 1 FROM organisations o WHERE o.id = job.org_id AND o.suspended_at IS NOT NULL)
ORDER BY (SELECT max(served_at) FROM bulk_jobs other WHERE other.org_id = job.org_id) NULLS FIRST, served_at NULLS FIRST, created_at, id
LIMIT 1 FOR UPDATE OF job SKIP LOCKED`;

type Recorded = { index: number; ok: boolean; result: object };

async function outcomes(ctx: TxCtx, job: ClaimedJob, rows: { index: number; item: unknown }[]): Promise<Recorded[]> {
  if (job.action === "apply_version") {
    const wanted = rows.map(({ item }) => {
      const { uuid, version } = item as { uuid: string; version: string };
      return { id: asId<"crd">(uuid), versionId: asId<"tpv">(version) };
    });
    return ofTemplate(rows, wanted, await changeSet(ctx, redesign, wanted));
  }
  if (job.action !== "revoke_template") {
    const done = await runRows(
      ctx,
      job.action,
      rows.map(({ index, item }) => ({ index, item: RefusedRow.restore(item) })),
      { type: "bulk", id: publicId("blk", job.id) },
    );
    return done.map((outcome, i) => recorded(outcome, rows[i]!.item));
  }
  const { reason, note } = job.params;
  const targets = rows.map(({ item }) => ({ id: asId<"crd">((item as { uuid: string }).uuid), reason: reason!, note }));
  return ofTemplate(rows, targets, await changeSet(ctx, revocation, targets));
}

/** The results of an action on all credentials of a template. It refuses none. */
function ofTemplate(rows: { index: number }[], targets: { id: Id<"crd"> }[], results: Changed[]): Recorded[] {
  return results.map((result, i) => ({
    index: rows[i]!.index,
    ok: true,
    result: { credentialId: publicId("crd", targets[i]!.id), changed: "row" in result && result.changed },
  }));
}

/**
 * Returns the result in the form in which it is stored. A refusal keeps the credential's id, because an erasure clears
 * the row's input.
 */
function recorded(outcome: RowOutcome, item: unknown): Recorded {
  const { index } = outcome;
  if (outcome.ok)
    return {
      index,
      ok: true,
      result: outcome.credential
        ? { credentialId: outcome.credential.id, changed: outcome.changed }
        : { nameConfirmationId: outcome.nameConfirmation.id, changed: outcome.changed },
    };
  const about = [outcome.error["credentialId"], (item as { id?: unknown } | null)?.id].find(
    (id) => typeof id === "string" && isId("crd", id),
  );
  return { index, ok: false, result: { error: outcome.error, ...(about !== undefined && { credentialId: about }) } };
}

// A refused row keeps what was sent, so that people see whom it concerns and can correct it. It is kept only if it
// names a credential or a subject (bulk_row_names), because an erasure finds only such rows.
async function record(tx: Tx, job: ClaimedJob, rows: Recorded[], now: Date): Promise<void> {
  await tx.sql(
    `UPDATE bulk_rows SET ok = row.ok, result = row.result,
       input = CASE WHEN row.ok OR bulk_row_names(input) IS NULL THEN 'null' ELSE input END
     FROM jsonb_to_recordset($3::jsonb) AS row ("index" int, ok boolean, result jsonb)
     CROSS JOIN LATERAL (SELECT ctid AS tid FROM bulk_rows WHERE org_id = $1 AND job_id = $2 AND "index" = row."index" OFFSET 0) stored
     WHERE bulk_rows.ctid = stored.tid`,
    [job.org_id, job.id, JSON.stringify(rows)],
  );
  const succeeded = rows.filter((row) => row.ok).length;
  await tx.sql(
    `UPDATE bulk_jobs SET succeeded = succeeded + $3, failed = failed + $4, started_at = coalesce(started_at, $5), served_at = $5,
       state = CASE WHEN succeeded + failed + $3 + $4 >= total THEN 'completed' ELSE 'running' END,
       params = CASE WHEN succeeded + failed + $3 + $4 >= total THEN ${withoutTexts} ELSE params END,
       finished_at = CASE WHEN succeeded + failed + $3 + $4 >= total THEN greatest($5, started_at) END
     WHERE org_id = $1 AND id = $2`,
    [job.org_id, job.id, succeeded, rows.length - succeeded, now],
  );
}
