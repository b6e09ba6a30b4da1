import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { SubjectBefore } from "@/server/subjects/write";

/** What a run changed of one person. */
export interface Change {
  subjectId: Id<"sub">;
  /** The changed fields with their previous values; null for a person whom the run created. */
  before: Partial<SubjectBefore> | null;
  /** Whether the run took the person over from another source. */
  adopted: boolean;
  /** updatedAt of the person after the write, set by the database; null if the person was taken over unchanged. */
  writtenAt: Date | null;
  /** updatedAt before the write; null if the person was created or not written. */
  previousAt: Date | null;
}

/**
 * Stores the changes of a run, so that it can be undone. If the run writes a person twice, the first stored state stays,
 * unless somebody else wrote the person in between, as while the run waited for approval: then only the second write is
 * the run's own.
 */
export async function keepChanges(ctx: TxCtx, runId: Id<"run">, changes: Change[]): Promise<void> {
  if (changes.length === 0) return;
  await ctx.tx.sql(
    `INSERT INTO connector_changes (org_id, run_id, subject_id, before, adopted, written_at, previous_at)
     SELECT $1, $2, given.* FROM unnest($3::uuid[], $4::jsonb[], $5::boolean[], $6::timestamptz[], $7::timestamptz[]) AS given
     ON CONFLICT (org_id, run_id, subject_id) DO UPDATE SET written_at = excluded.written_at,
       previous_at = CASE WHEN ${isOwn} THEN coalesce(connector_changes.previous_at, excluded.previous_at) ELSE excluded.previous_at END,
       before = CASE WHEN connector_changes.before IS NULL THEN NULL WHEN ${isOwn} THEN excluded.before || connector_changes.before ELSE excluded.before END`,
    [
      ctx.orgId,
      runId,
      changes.map(({ subjectId }) => subjectId),
      changes.map(({ before }) => before && JSON.stringify(before)),
      changes.map(({ adopted }) => adopted),
      changes.map(({ writtenAt }) => writtenAt),
      changes.map(({ previousAt }) => previousAt),
    ],
  );
  ctx.tx.wrote("connector_changes", changes.length);
}

/** SQL: whether the person, before the run wrote them again, was as the run had left them. */
const isOwn = `(connector_changes.written_at IS NULL OR connector_changes.written_at = excluded.previous_at)`;
