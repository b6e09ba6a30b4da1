import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { noteMissing } from "@/server/subjects/provide";
import { clearRows } from "./clear";
import { settleMissing } from "./remove";
import { undoUntil } from "./undo-until";
import { advance, type Work } from "./work";

/** Finishes a run: records who was missing, deletes the staged rows in batches, and sets the final status. */
export async function finish(ctx: TxCtx, work: Work): Promise<void> {
  const { final = work.hold && !work.approved ? "held" : "succeeded", noted } = work.progress;
  let updated = 0;
  if (!noted && !work.approved && !work.undoes && work.config.mode === "full") {
    if (!work.hold) updated = await settleMissing(ctx, work, await noteMissing(ctx, work.connector_id, work.id));
    await ctx.tx.sql(`UPDATE connectors SET last_full_at = $3 WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      work.connector_id,
      ctx.now,
    ]);
  }
  if (await clearRows(ctx.tx, ctx.orgId, work.id))
    return advance(ctx, work, { phase: "finishing", progress: { final, noted: true } }, { updated });
  const [ended] = await ctx.tx.sql<{ held: number; deactivated: number; rejected: number; filed: boolean }>(
    `UPDATE connector_runs SET status = $3, progress = '{}', sha256 = NULL, finished_at = greatest($4, started_at), undo_until = $5, updated = updated + $6 WHERE org_id = $1 AND id = $2
     RETURNING held, deactivated, rejected, filing_at IS NOT NULL AS filed`,
    [ctx.orgId, work.id, final, ctx.now, undoUntil(ctx.now), updated],
  );
  const { filed, ...run } = ended!;
  // A job moves its file on the server that it came from (file-away.ts).
  if (filed) ctx.tx.nudgeAfterCommit("connectors");
  if (final === "held" || work.error?.code === "host_key_changed") ctx.tx.nudgeAfterCommit("mails");
  await audit(
    ctx,
    `connector_run.${final}`,
    { type: "connector_run", id: publicId("run", work.id) },
    { connectorId: publicId("con", work.connector_id), ...run, ...(work.error && { code: work.error.code }) },
  );
}
