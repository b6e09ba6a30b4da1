import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/**
 * Adds to runs that end early what their second halves have counted and the runs do not include yet, which happens if a
 * worker was killed or a step failed. The people of those rows are written, so a run without the counts could not be undone.
 * The caller must have locked the runs.
 */
export async function addCountsBeside(ctx: TxCtx, ids: readonly Id<"run">[]): Promise<void> {
  await ctx.tx.sql(
    `WITH half AS (DELETE FROM connector_second_halves WHERE org_id = $1 AND run_id = ANY($2) RETURNING *)
     UPDATE connector_runs run SET created = run.created + half.created, updated = run.updated + half.updated, unchanged = run.unchanged + half.unchanged,
       deactivated = run.deactivated + half.deactivated, rejected = run.rejected + half.rejected
     FROM half WHERE run.org_id = $1 AND run.id = half.run_id`,
    [ctx.orgId, ids],
  );
}
