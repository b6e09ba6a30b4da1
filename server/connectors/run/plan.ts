import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { absentKeys } from "@/server/subjects/provide";
import { endRuns } from "../end-runs";
import { createNamedGroups, linkGroups, mostGroups, namedGroups } from "../groups/link";
import { holdEndings, planEndings } from "../groups/plan";
import type { Hold } from "../run-view";
import { keptAgainstStatus, keptInAbsence } from "./elsewhere";
import { holdOf, limitOf } from "./hold";
import { personOfRow } from "./known";
import { lossMessage, lostFields } from "./lost-values";
import { precedenceOf, type Precedence } from "./precedence";
import { split } from "./second-half";
import { advance, asRun, fail, type SeenFile, type Work } from "./work";

/**
 * Plans the deactivations of a file before anything is applied: people that it marks as inactive and, for a full file,
 * people who are missing from it and whom no other live source provides, and the memberships that it ends. Decides whether they need approval (contract
 * section 11). A file that clears a field of nearly everybody is held as a whole.
 */
export async function plan(ctx: TxCtx, work: Work): Promise<void> {
  const { config } = work;
  const named = config.mapping.groups ? await namedGroups(ctx, work) : [];
  if (named.length > mostGroups) return fail(ctx, work, tooManyGroups);
  if (config.adopt === "email") await markSharedAddresses(ctx, work);
  const precedence = await precedenceOf(ctx, work);
  const lost = work.file.isLossApproved ? [] : await lostFields(ctx, work, precedence);
  await supersede(ctx, work, config.mode === "full" && lost.length === 0 ? "all" : "whole");
  if (lost.length > 0) return holdWhole(ctx, work, lossMessage(config.mapping, lost));
  const inactive = await countInactive(ctx, work, precedence);
  if (config.mode === "full" && config.missing === "deactivate")
    await ctx.tx.sql(byAbsence, [ctx.orgId, work.id, work.connector_id]);
  const unlinked = await linkGroups(ctx, work.connector_id, named);
  const hold = await holdOf(ctx, work, {
    missing: await countMissing(ctx, work),
    inactive,
    memberships: config.mapping.groups ? await planEndings(ctx, work) : { row: 0, missing: 0 },
    unknown: work.progress.unknown ?? 0,
    file: work.file as SeenFile,
  });
  await ctx.tx.sql(`UPDATE connector_runs SET hold = $3 WHERE org_id = $1 AND id = $2`, [ctx.orgId, work.id, hold]);
  if (hold) await holdEndings(ctx, work);
  await createNamedGroups(asRun(ctx, work), work.connector_id, unlinked);
  const progress = { hasPeople: await hasPeople(ctx, work), until: await split(ctx, work) };
  await advance(ctx, work, { phase: "applying", progress });
}

/** Whether the file is a full one, and the connector provided anybody before it. */
async function hasPeople(ctx: TxCtx, { connector_id, config }: Work): Promise<boolean> {
  if (config.mode !== "full") return false;
  const some = await ctx.tx.sql(
    `SELECT 1 FROM subject_sources WHERE org_id = $1 AND source_id = $2 AND key IS NOT NULL LIMIT 1`,
    [ctx.orgId, connector_id],
  );
  return some.length > 0;
}

const tooManyGroups = {
  code: "too_many_groups",
  message: `The file names more than ${mostGroups} groups. Check that the mapping reads them from the right column. Nobody was changed.`,
  line: null,
};

/** Holds the run for approval before anything of it is applied. After an approval it is planned again (approve-run.ts). */
async function holdWhole(ctx: TxCtx, work: Work, message: string): Promise<void> {
  const { limit } = await limitOf(ctx, work);
  const hold: Hold = { reason: "lost_values", message, limit, memberships: 0 };
  await ctx.tx.sql(
    `UPDATE connector_runs SET status = 'held', hold = $3, finished_at = greatest($4, started_at) WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, work.id, hold, ctx.now],
  );
  ctx.tx.nudgeAfterCommit("connectors");
  ctx.tx.nudgeAfterCommit("mails");
  await audit(
    ctx,
    "connector_run.held",
    { type: "connector_run", id: publicId("run", work.id) },
    { connectorId: publicId("con", work.connector_id), reason: hold.reason, rows: work.rows },
  );
}

/**
 * Drops older held runs. A newer full file determines anew who is missing, so it replaces all held deactivations. A run
 * that is held as a whole is replaced by any newer file, because its rows are out of date.
 */
async function supersede(ctx: TxCtx, work: Work, which: "all" | "whole"): Promise<void> {
  const why = { code: "superseded", message: `Replaced by a newer file: ${publicId("run", work.id)}.`, line: null };
  const older = await ctx.tx.sql<{ id: Work["id"] }>(
    `SELECT id FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND status = 'held' AND id < $3
       AND ($4 = 'all' OR hold ->> 'reason' = 'lost_values') ORDER BY id DESC FOR UPDATE`,
    [ctx.orgId, work.connector_id, work.id, which],
  );
  const ids = older.map(({ id }) => id);
  await endRuns(ctx, ids, { status: "cancelled", error: why });
  for (const id of ids)
    await audit(
      ctx,
      "connector_run.cancelled",
      { type: "connector_run", id: publicId("run", id) },
      { reason: why.message },
    );
}

/** Marks rows whose e-mail address other rows have too: it finds nobody. */
async function markSharedAddresses(ctx: TxCtx, work: Work): Promise<void> {
  await ctx.tx.sql(
    `UPDATE connector_rows r SET shares_email = true FROM (
       SELECT lower(fields ->> 'email') AS address FROM connector_rows WHERE org_id = $1 AND run_id = $2 AND fields ->> 'email' <> ''
       GROUP BY 1 HAVING count(DISTINCT key) > 1
     ) shared WHERE r.org_id = $1 AND r.run_id = $2 AND lower(r.fields ->> 'email') = shared.address`,
    [ctx.orgId, work.id],
  );
}

const known = personOfRow(["id", "status"], { connector: "$3", byExternalId: "$4", byEmail: "$6" });

const byStatus = `
SELECT count(*) AS n FROM connector_rows r CROSS JOIN LATERAL (${known}) s
WHERE r.org_id = $1 AND r.run_id = $2 AND r.fields ->> 'status' = 'inactive' AND s.status = 'active'
  AND NOT EXISTS (SELECT FROM connector_rows first WHERE first.org_id = $1 AND first.run_id = $2 AND first.key = r.key AND first.line < r.line OFFSET 0)
  AND NOT EXISTS (SELECT FROM subject_sources o WHERE o.org_id = $1 AND o.subject_id = s.id AND o.source_id = ANY($5::uuid[]) AND o.missing_since IS NULL OFFSET 0)
  AND NOT ${keptAgainstStatus("s.id")}`;

/**
 * Counts the active people that the file marks as inactive and no other source keeps active, by their first row, unless
 * another connector writes their status. It only counts: apply() deactivates or stages them, because only apply() knows
 * which rows are rejected.
 */
async function countInactive(ctx: TxCtx, work: Work, precedence: Precedence[]): Promise<number> {
  if (!work.config.mapping.status) return 0;
  const [row] = await ctx.tx.sql<{ n: number }>(byStatus, [
    ctx.orgId,
    work.id,
    work.connector_id,
    work.config.adopt !== "never",
    precedence.filter(({ mapping }) => mapping.status).map(({ id }) => id),
    work.config.adopt === "email",
  ]);
  return row!.n;
}

const byAbsence = `
INSERT INTO connector_removals (org_id, run_id, connector_id, subject_id, cause)
SELECT $1, $2, $3, o.subject_id, 'missing'
FROM (${absentKeys({ connector: "$3", run: "$2" })}) absent
CROSS JOIN LATERAL (SELECT subject_id FROM subject_sources WHERE org_id = $1 AND source_id = $3 AND key = absent.key OFFSET 0) o
CROSS JOIN LATERAL (SELECT status FROM subjects WHERE org_id = $1 AND id = o.subject_id OFFSET 0) s
WHERE s.status = 'active' AND NOT ${keptInAbsence("o.subject_id")}
ON CONFLICT DO NOTHING`;

async function countMissing(ctx: TxCtx, work: Work): Promise<number> {
  const [planned] = await ctx.tx.sql<{ missing: number }>(
    `SELECT count(*) AS missing FROM connector_removals WHERE org_id = $1 AND run_id = $2`,
    [ctx.orgId, work.id],
  );
  return planned!.missing;
}
