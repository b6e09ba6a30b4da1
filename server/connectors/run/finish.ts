import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { noteMissing } from "@/server/subjects/provide";
import { fallBackForMissing } from "./remove";
import { undoUntil } from "./undo-until";
import { asRun, noteFullFile, type Work } from "./work";

/**
 * Finishes a run: records who was missing, and sets the final status. A job then deletes the staged rows (clear.ts). A full
 * file that is held keeps its rows until it is approved or cancelled, because only an approval makes those people missing.
 */
export async function finish(ctx: TxCtx, work: Work): Promise<void> {
  const { final = work.hold && !work.approved ? "held" : "succeeded", noted } = work.progress;
  let updated = 0;
  const isFull = !work.undoes && work.config.mode === "full";
  if (isFull && !noted && final === "succeeded") {
    updated = await fallBackForMissing(asRun(ctx, work), work, await noteMissing(ctx, work.connector_id, work));
    await noteFullFile(ctx, work.connector_id);
  }
  const keepsRows = isFull && final === "held";
  const [ended] = await ctx.tx.sql<{ held: number; deactivated: number; rejected: number }>(
    `UPDATE connector_runs SET status = $3, phase = $7, progress = '{}', sha256 = NULL, finished_at = greatest($4, started_at), undo_until = $5, updated = updated + $6, held = CASE WHEN $3 = 'held' THEN held ELSE 0 END WHERE org_id = $1 AND id = $2
     RETURNING held, deactivated, rejected`,
    [ctx.orgId, work.id, final, ctx.now, undoUntil(ctx.now), updated, keepsRows ? "finishing" : "clearing"],
  );
  const run = ended!;
  // Policies wait until a run that changes their people has finished.
  if (final !== "held") ctx.tx.nudgeAfterCommit("policies");
  // Jobs delete its rows (clear.ts), and move its file on the server that it came from (file-away.ts).
  ctx.tx.nudgeAfterCommit("connectors");
  if (final === "held" || work.error || run.rejected > 0) ctx.tx.nudgeAfterCommit("mails");
  await audit(
    ctx,
    `connector_run.${final}`,
    { type: "connector_run", id: publicId("run", work.id) },
    { connectorId: publicId("con", work.connector_id), ...run, ...(work.error && { code: work.error.code }) },
  );
}
