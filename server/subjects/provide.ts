import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/** A feed that provides subjects: a connector of files, or a SCIM connection. */
export interface Feed {
  type: "connector" | "scim";
  id: Id<"con">;
}

export interface Provided {
  subjectId: Id<"sub">;
  /** The feed's own key for the person. */
  key: string;
  /** Whether the feed marks them as inactive, so that it keeps nobody active; null if it does not say. */
  inactive: boolean | null;
  /**
   * For a directory: the fields for which it has a value, under the names of the mapping. A file states every field
   * that it maps.
   */
  stated?: readonly string[];
}

/**
 * Records that a connector provides these subjects now, each with the connector's own key for it (contract section 4).
 * Subjects that no longer exist are left out; the others cannot be deleted before the commit (docs/decisions/676).
 */
export async function provide(ctx: TxCtx, feed: Feed, provided: Provided[]): Promise<void> {
  if (provided.length === 0) return;
  await ctx.tx.sql(
    `INSERT INTO subject_sources (org_id, subject_id, type, source_id, key, last_seen_at, inactive, stated)
     SELECT $1, given.id, $6, $2, given.key, $5, coalesce(given.inactive, own.inactive, false),
       CASE WHEN given.stated IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(given.stated)) END
     FROM unnest($3::uuid[], $4::text[], $7::boolean[], $8::jsonb[]) AS given (id, key, inactive, stated)
     CROSS JOIN LATERAL (SELECT FROM subjects WHERE org_id = $1 AND id = given.id FOR KEY SHARE) present
     LEFT JOIN LATERAL (
       SELECT inactive FROM subject_sources WHERE org_id = $1 AND subject_id = given.id AND type = $6 AND source_id = $2 OFFSET 0
     ) own ON true
     ON CONFLICT (org_id, subject_id, type, source_id) DO UPDATE SET key = excluded.key, last_seen_at = excluded.last_seen_at, inactive = excluded.inactive, stated = excluded.stated, missing_since = NULL, ended = false`,
    [
      ctx.orgId,
      feed.id,
      provided.map(({ subjectId }) => subjectId),
      provided.map(({ key }) => key),
      ctx.now,
      feed.type,
      provided.map(({ inactive }) => inactive),
      provided.map(({ stated }) => (stated ? JSON.stringify(stated) : null)),
    ],
  );
  ctx.tx.wrote("subject_sources", provided.length);
}

/**
 * Records that a feed no longer provides these subjects: its full file lacked them, or its directory deleted them.
 *
 * @param ended whether it deactivated them for that; then they become active when they come back
 */
export async function noteGone(ctx: TxCtx, feed: Feed, subjects: Id<"sub">[], ended: boolean): Promise<void> {
  if (subjects.length === 0) return;
  await ctx.tx.sql(
    `UPDATE subject_sources SET ended = $5, missing_since = coalesce(missing_since, $4)
     WHERE org_id = $1 AND source_id = $2 AND type = $6 AND subject_id = ANY($3::uuid[])`,
    [ctx.orgId, feed.id, subjects, ctx.now, ended, feed.type],
  );
}

/**
 * Records that the status of these subjects no longer results from an absence: they are active again, or a source has
 * since stated that they are inactive (docs/decisions/610).
 */
export async function forgetAbsence(ctx: TxCtx, subjects: Id<"sub">[]): Promise<void> {
  if (subjects.length === 0) return;
  await ctx.tx.sql(
    `UPDATE subject_sources o SET ended = false FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT ctid AS tid FROM subject_sources WHERE org_id = $1 AND subject_id = given.id AND ended OFFSET 0) gone
     WHERE o.ctid = gone.tid`,
    [ctx.orgId, subjects],
  );
}

/**
 * Records that these subjects are inactive because no feed has them: the run of this connector that listed them was
 * undone. The next feed that lists them makes them active.
 */
export async function noteGoneAgain(ctx: TxCtx, connectorId: Id<"con">, subjects: Id<"sub">[]): Promise<void> {
  if (subjects.length === 0) return;
  await ctx.tx.sql(
    `UPDATE subject_sources o SET ended = true, missing_since = coalesce(o.missing_since, $4) FROM unnest($3::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM subject_sources
       WHERE org_id = $1 AND subject_id = given.id AND type IN ('connector', 'scim') AND (source_id = $2 OR missing_since IS NOT NULL) OFFSET 0
     ) had WHERE o.ctid = had.tid`,
    [ctx.orgId, connectorId, subjects, ctx.now],
  );
}

/**
 * SQL: the keys of the people that a connector provides and the staged rows of a run lack, as `key`. PostgreSQL reads both
 * once, in the order of the keys. To look up each key takes three times as long.
 * @param names the SQL of the connector's and the run's id
 * @param condition SQL, on the columns of subject_sources
 */
export const absentKeys = (names: { connector: string; run: string }, condition = "true") => `
  SELECT key FROM subject_sources WHERE org_id = $1 AND source_id = ${names.connector} AND key IS NOT NULL AND ${condition}
  EXCEPT SELECT key FROM connector_rows WHERE org_id = $1 AND run_id = ${names.run}`;

/** A run of a full file. `approved`: it was held, so newer files that list only changes may have been applied since. */
interface FullRun {
  id: Id<"run">;
  approved: boolean;
  started_at: Date | null;
}

/**
 * Records the subjects that a connector provides but that its full file (the rows of this run) no longer contains.
 * People whom a newer file listed while the run waited for approval are not missing.
 *
 * @returns those that the file before it contained
 */
export async function noteMissing(ctx: TxCtx, connectorId: Id<"con">, run: FullRun): Promise<Id<"sub">[]> {
  const rows = await ctx.tx.sql<{ subject_id: Id<"sub"> }>(
    `UPDATE subject_sources o SET missing_since = $4,
       last_seen_at = greatest(o.last_seen_at, (SELECT last_full_at FROM connectors WHERE org_id = $1 AND id = $2))
     FROM (${absentKeys({ connector: "$2", run: "$3" }, "missing_since IS NULL")}) absent
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM subject_sources
       WHERE org_id = $1 AND source_id = $2 AND key = absent.key AND missing_since IS NULL AND ($5::timestamptz IS NULL OR last_seen_at <= $5) FOR UPDATE
     ) had
     WHERE o.org_id = $1 AND o.ctid = had.tid
     RETURNING o.subject_id`,
    [ctx.orgId, connectorId, run.id, ctx.now, run.approved ? run.started_at : null],
  );
  return rows.map((row) => row.subject_id);
}

/** Records that a connector provides these subjects after all: the run that missed them was undone. */
export async function noteReturned(ctx: TxCtx, connectorId: Id<"con">, subjects: Id<"sub">[]): Promise<void> {
  if (subjects.length === 0) return;
  await ctx.tx.sql(
    `UPDATE subject_sources o SET ended = false, missing_since = NULL, inactive = false FROM unnest($3::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM subject_sources WHERE org_id = $1 AND subject_id = given.id AND type = 'connector' AND source_id = $2 OFFSET 0
     ) own WHERE o.ctid = own.tid`,
    [ctx.orgId, connectorId, subjects],
  );
}

/** Records that a connector does not provide these subjects: the run that adopted them was undone. */
export async function releaseSource(ctx: TxCtx, connectorId: Id<"con">, subjects: Id<"sub">[]): Promise<void> {
  if (subjects.length === 0) return;
  await ctx.tx.sql(
    `DELETE FROM subject_sources o USING unnest($3::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM subject_sources WHERE org_id = $1 AND subject_id = given.id AND type = 'connector' AND source_id = $2 OFFSET 0
     ) own WHERE o.ctid = own.tid`,
    [ctx.orgId, connectorId, subjects],
  );
}
