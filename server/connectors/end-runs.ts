import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { addCountsBeside } from "./run/add-counts-beside";
import { undoUntil } from "./run/undo-until";
import { runColumns, type RunError, type RunRow } from "./run-view";

/**
 * Ends runs early. The deactivations that they held are dropped, and a job deletes their staged rows. The caller must have
 * locked the runs.
 */
export async function endRuns(
  ctx: TxCtx,
  ids: readonly Id<"run">[],
  { status, error = null }: { status: "cancelled" | "failed"; error?: RunError | null },
): Promise<RunRow[]> {
  await addCountsBeside(ctx, ids);
  const ended = await ctx.tx.sql<RunRow>(
    `UPDATE connector_runs SET status = $3, phase = 'clearing', sha256 = NULL, claim_id = NULL, lease_until = NULL, held = 0, error = coalesce($4, error), finished_at = greatest($5, started_at), undo_until = $6
     WHERE org_id = $1 AND id = ANY($2) RETURNING ${runColumns}`,
    [ctx.orgId, ids, status, error, ctx.now, undoUntil(ctx.now)],
  );
  await ctx.tx.sql(
    `UPDATE connector_removals SET state = 'dropped' WHERE org_id = $1 AND run_id = ANY($2) AND state = 'staged'`,
    [ctx.orgId, ids],
  );
  await ctx.tx.sql(
    `UPDATE connector_member_changes SET state = 'dropped' WHERE org_id = $1 AND run_id = ANY($2) AND state IN ('planned', 'staged')`,
    [ctx.orgId, ids],
  );
  ctx.tx.nudgeAfterCommit("connectors");
  if (status === "failed") ctx.tx.nudgeAfterCommit("mails");
  ctx.tx.nudgeAfterCommit("policies");
  return ended;
}
