import { audit } from "@/server/access/audit";
import { windowStart } from "@/server/core/blast-radius";
import type { TxCtx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { endRuns } from "../end-runs";
import type { Hold } from "../run-view";
import { countActive, limitFor } from "./limit";
import { precedenceOf } from "./precedence";
import { advance, type SeenFile, type Work } from "./work";

/**
 * Finds out, before anything is applied, whom the file deactivates: whom it calls inactive, and, of a full file, whom it
 * no longer has and no other live source provides. Decides whether they wait for a person (contract section 11).
 */
export async function plan(ctx: TxCtx, work: Work): Promise<void> {
  const { config } = work;
  if (config.mode === "full") await supersede(ctx, work);
  const inactive = await countInactive(ctx, work);
  if (config.mode === "full" && config.missing === "deactivate")
    await ctx.tx.sql(byAbsence, [ctx.orgId, work.id, work.connector_id]);
  const hold = await holdOf(ctx, work, inactive);
  await ctx.tx.sql(`UPDATE connector_runs SET hold = $3 WHERE org_id = $1 AND id = $2`, [ctx.orgId, work.id, hold]);
  await advance(ctx, work, { phase: "applying" });
}

/** A newer full file says itself who is missing: what an older one had staged is dropped. */
async function supersede(ctx: TxCtx, work: Work): Promise<void> {
  const why = { code: "superseded", message: `A newer file was applied: ${publicId("run", work.id)}.`, line: null };
  const older = await ctx.tx.sql<{ id: Work["id"] }>(
    `SELECT id FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND status = 'held' AND id < $3 ORDER BY id FOR UPDATE`,
    [ctx.orgId, work.connector_id, work.id],
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

const known = `
  SELECT s.id, s.status FROM (
    SELECT subject_id FROM subject_sources WHERE org_id = $1 AND source_id = $3 AND key = r.key OFFSET 0
  ) o CROSS JOIN LATERAL (SELECT id, status FROM subjects WHERE org_id = $1 AND id = o.subject_id OFFSET 0) s
  UNION ALL SELECT id, status FROM subjects WHERE org_id = $1 AND external_id = r.key AND $4::boolean
  LIMIT 1`;

const byStatus = `
SELECT count(*) AS n FROM connector_rows r CROSS JOIN LATERAL (${known}) s
WHERE r.org_id = $1 AND r.run_id = $2 AND r.fields ->> 'status' = 'inactive' AND s.status = 'active'
  AND NOT EXISTS (SELECT FROM connector_rows first WHERE first.org_id = $1 AND first.run_id = $2 AND first.key = r.key AND first.line < r.line OFFSET 0)
  AND NOT EXISTS (SELECT FROM subject_sources o WHERE o.org_id = $1 AND o.subject_id = s.id AND o.source_id = ANY($5::uuid[]) OFFSET 0)`;

/**
 * How many active people the file calls inactive: by the first row of each, unless another connector writes their
 * status. apply() stages them or writes it, since it knows which rows are rejected.
 */
async function countInactive(ctx: TxCtx, work: Work): Promise<number> {
  const [row] = await ctx.tx.sql<{ n: number }>(byStatus, [
    ctx.orgId,
    work.id,
    work.connector_id,
    work.config.adopt !== "never",
    (await precedenceOf(ctx, work)).filter(({ mapping }) => mapping.status).map(({ id }) => id),
  ]);
  return row!.n;
}

/** Of the subject $subject: whether another live source than connector $3 provides it. */
export const providedElsewhere = (subject: string) => `EXISTS (
  SELECT FROM subject_sources other WHERE other.org_id = $1 AND other.subject_id = ${subject} AND other.source_id <> $3
    AND (other.type IN ('api', 'console') OR EXISTS (
      SELECT FROM connectors c WHERE c.org_id = $1 AND c.id = other.source_id AND c.deleted_at IS NULL AND other.missing_since IS NULL OFFSET 0
    )) OFFSET 0)`;

const byAbsence = `
INSERT INTO connector_removals (org_id, run_id, connector_id, subject_id, cause)
SELECT $1, $2, $3, o.subject_id, 'missing'
FROM subject_sources o CROSS JOIN LATERAL (SELECT status FROM subjects WHERE org_id = $1 AND id = o.subject_id OFFSET 0) s
WHERE o.org_id = $1 AND o.source_id = $3 AND o.key IS NOT NULL AND s.status = 'active'
  AND NOT EXISTS (SELECT FROM connector_rows r WHERE r.org_id = $1 AND r.run_id = $2 AND r.key = o.key OFFSET 0)
  AND NOT ${providedElsewhere("o.subject_id")}
ON CONFLICT DO NOTHING`;

/** Why the planned deactivations wait for a person; null where they need none. */
async function holdOf(ctx: TxCtx, work: Work, inactive: number): Promise<Hold | null> {
  const [planned] = await ctx.tx.sql<{ missing: number }>(
    `SELECT count(*) AS missing FROM connector_removals WHERE org_id = $1 AND run_id = $2`,
    [ctx.orgId, work.id],
  );
  const { missing } = planned!;
  const all = missing + inactive;
  if (all === 0) return null;
  const { limit, recent } = await limitOf(ctx, work);
  const held = (reason: Hold["reason"], message: string): Hold => ({ reason, message, limit });
  if (missing > 0) {
    const before = await lastFile(ctx, work);
    const now = work.file as SeenFile;
    const lost = before?.headers.filter((header) => header !== "" && !now.headers.includes(header)) ?? [];
    if (lost.length > 0)
      return held(
        "lost_columns",
        `The file before had the column ${lost.map((name) => JSON.stringify(name)).join(", ")} and this one has not. It may be incomplete.`,
      );
    if (before?.endsWithLineEnd && !now.endsWithLineEnd)
      return held("cut_off", "The file before ended with a line end and this one does not. It may be cut off.");
    const unknown = work.progress.unknown ?? 0;
    if (unknown > 0)
      return held(
        "unknown_rows",
        `Of ${unknown} rejected ${unknown === 1 ? "row" : "rows"} it is not known whom they are about, so it is not known either who is missing.`,
      );
  }
  if (recent + all <= limit) return null;
  const before = recent > 0 ? `, after ${recent} in the last 24 hours` : "";
  return held(
    "limit",
    `${all} people would be deactivated${before}. Up to ${limit} within 24 hours need nobody's approval.`,
  );
}

/** How many deactivations within 24 hours pass, and how many there were. What a person approved does not count. */
async function limitOf(ctx: TxCtx, { connector_id, config }: Work): Promise<{ limit: number; recent: number }> {
  const [counted] = await ctx.tx.sql<{ recent: number; active: number }>(
    `SELECT
       (SELECT count(*) FROM connector_removals removal
        CROSS JOIN LATERAL (SELECT approved FROM connector_runs WHERE org_id = $1 AND id = removal.run_id OFFSET 0) run
        WHERE removal.org_id = $1 AND removal.connector_id = $2 AND removal.applied_at > $3 AND NOT run.approved) AS recent,
       ${countActive} AS active`,
    [ctx.orgId, connector_id, windowStart(ctx.now)],
  );
  const { recent, active } = counted!;
  return { recent, limit: limitFor(config.limits, { recent, active }) };
}

/** The file to compare with: the last that was applied whole. A broken one does not become the measure of the next. */
async function lastFile(ctx: TxCtx, work: Work): Promise<SeenFile | undefined> {
  const [row] = await ctx.tx.sql<{ file: SeenFile }>(
    `SELECT file FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND id < $3 AND file ? 'headers' AND status = 'succeeded' ORDER BY id DESC LIMIT 1`,
    [ctx.orgId, work.connector_id, work.id],
  );
  return row?.file;
}
