import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { SubjectBefore } from "@/server/subjects/write";

/** What a run did to somebody. */
export interface Change {
  subjectId: Id<"sub">;
  /** What it changed, as it was; null for somebody whom it created. */
  before: Partial<SubjectBefore> | null;
  /** The connector did not provide them before. */
  adopted: boolean;
  /** updatedAt of the person after the write, which the database stamps; null where they were adopted as they were. */
  writtenAt: Date | null;
  /** The same before the write; null where they were created, or not written. */
  previousAt: Date | null;
}

/** Keeps what a run changes, so that it can be taken back. What was kept of a person first stays. */
export async function keepChanges(ctx: TxCtx, runId: Id<"run">, changes: Change[]): Promise<void> {
  if (changes.length === 0) return;
  await ctx.tx.sql(
    `INSERT INTO connector_changes (org_id, run_id, subject_id, before, adopted, written_at, previous_at)
     SELECT $1, $2, given.id, given.before, given.adopted, given.written_at, given.previous_at
     FROM jsonb_to_recordset($3::jsonb) AS given (id uuid, before jsonb, adopted boolean, written_at timestamptz, previous_at timestamptz)
     ON CONFLICT (org_id, run_id, subject_id) DO UPDATE SET written_at = excluded.written_at,
       before = CASE WHEN connector_changes.before IS NULL THEN NULL ELSE excluded.before || connector_changes.before END`,
    [
      ctx.orgId,
      runId,
      JSON.stringify(
        changes.map(({ subjectId, before, adopted, writtenAt, previousAt }) => ({
          id: subjectId,
          before: before ?? undefined,
          adopted,
          written_at: writtenAt,
          previous_at: previousAt,
        })),
      ),
    ],
  );
  ctx.tx.wrote("connector_changes", changes.length);
}
