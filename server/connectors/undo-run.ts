import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { newId, publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadConnector } from "./load";
import { isUndoable, loadRun, runColumns, runView, type RunRow } from "./run-view";
import { requireRoom } from "./run/queue-run";
import { undoDays } from "./run/undo-until";

/**
 * Undoes a finished run within 7 days (contract section 11): queues a run with trigger undo, which restores the people that
 * the run changed, except those who were changed since. It uses the settings of the undone run, not today's. Leaves audit entries.
 */
export const undoConnectorRun = command({
  name: "connectors.runs.undo",
  scope: "connectors:approve",
  input: z.strictObject({ id: id("con"), run: id("run") }),
  async run(ctx, input) {
    const connector = await loadConnector(ctx, input.id, "FOR SHARE");
    const run = await loadRun(ctx, connector.id, input.run, "FOR UPDATE");
    requireUndoable(run, ctx.now);
    await requireRoom(ctx);
    const undoId = newId("run");
    const [row] = await ctx.tx.sql<RunRow>(
      `INSERT INTO connector_runs (org_id, id, connector_id, trigger, actor, scopes, access_token, config, phase, approved, undoes, created_at)
       VALUES ($1, $2, $3, 'undo', $4, $5, $6, (SELECT config FROM connector_runs WHERE org_id = $1 AND id = $7), 'undoing', true, $7, $8) RETURNING ${runColumns}`,
      [ctx.orgId, undoId, connector.id, ctx.actor, [...ctx.scopes], ctx.accessToken ?? null, run.id, ctx.now],
    );
    await ctx.tx.sql(`UPDATE connector_runs SET undone_by = $3 WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      run.id,
      undoId,
    ]);
    const target = { type: "connector_run", id: publicId("run", undoId) } as const;
    await audit(ctx, "connector_run.queued", target, {
      connectorId: publicId("con", connector.id),
      trigger: "undo",
      undoes: publicId("run", run.id),
    });
    ctx.tx.nudgeAfterCommit("connectors");
    return runView(row!);
  },
});

function requireUndoable(run: RunRow, now: Date): void {
  if (isUndoable(run) && run.undo_until! > now) return;
  throw new DomainError("run_state", `${whyNot(run)} Nothing was done.`, { members: { runStatus: run.status } });
}

function whyNot(run: RunRow): string {
  if (run.undone_by) return `The run was undone already: ${publicId("run", run.undone_by)}.`;
  if (run.trigger === "undo")
    return "This run undid another run and cannot be undone itself. Send the file again instead.";
  if (run.status === "held") return "The run waits for approval. Approve or cancel it first.";
  if (run.status === "queued" || run.status === "running")
    return `The run is ${run.status}. Wait for it, or cancel it.`;
  if (run.created + run.updated + run.deactivated === 0) return "The run changed nobody.";
  return `A run can be undone for ${undoDays} days, and they are over.`;
}
