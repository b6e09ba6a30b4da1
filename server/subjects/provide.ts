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
  /** Whether the feed calls them inactive, so that it keeps nobody active; null where it says nothing of that. */
  inactive: boolean | null;
  /** Of a directory: the fields that it gives a value, as a mapping names them. A file states every field that it maps. */
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
 * Records that a feed has these subjects no more: its full file lacked them, or its directory deleted them.
 * @param ended whether it deactivated them for that: they are active again when they come back
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
 * Records that no earlier absence explains the status of these subjects any more: they are active again, or somebody has
 * said since that they are inactive (docs/decisions/610).
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
 * Records that these subjects are inactive because no feed has them, as before the run of this connector that listed
 * them: that run was undone. The next feed that lists them makes them active.
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

/** A run of a full file. `approved`: it was held, so newer files that list only changes may have been applied since. */
interface FullRun {
  id: Id<"run">;
  approved: boolean;
  started_at: Date | null;
}

/**
 * Records the subjects that a connector provides but that its full file (the rows of this run) no longer contains. Whom a
 * newer file listed while the run waited for approval is not missing.
 * @returns those that the file before it contained
 */
export async function noteMissing(ctx: TxCtx, connectorId: Id<"con">, run: FullRun): Promise<Id<"sub">[]> {
  const rows = await ctx.tx.sql<{ subject_id: Id<"sub"> }>(
    `UPDATE subject_sources o SET missing_since = $4,
       last_seen_at = greatest(o.last_seen_at, (SELECT last_full_at FROM connectors WHERE org_id = $1 AND id = $2))
     WHERE o.org_id = $1 AND o.source_id = $2 AND o.key IS NOT NULL AND o.missing_since IS NULL
       AND ($5::timestamptz IS NULL OR o.last_seen_at <= $5)
       AND NOT EXISTS (SELECT FROM connector_rows r WHERE r.org_id = $1 AND r.run_id = $3 AND r.key = o.key OFFSET 0)
     RETURNING o.subject_id`,
    [ctx.orgId, connectorId, run.id, ctx.now, run.approved ? run.started_at : null],
  );
  return rows.map((row) => row.subject_id);
}

/** Records that a connector has these subjects after all: the run that missed them was taken back. */
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

/** Records that a connector does not provide these subjects: the run that adopted them was taken back. */
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
