import { z } from "zod";
import { audit } from "@/server/access/audit";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";
import { loadConnector } from "./load";
import { isOver } from "./run-state";
import { loadRun, runColumns, runView, type RunRow } from "./run-view";

/**
 * Cancels a run: of a held one, nobody that it has staged is deactivated; one that is under way stops after the step that
 * it is at, and what was applied stays. Takes connectors:approve for a held run. Leaves an audit entry.
 */
export const cancelConnectorRun = command({
  name: "connectors.runs.cancel",
  scope: ["connectors:run", "connectors:approve"],
  input: z.strictObject({ id: id("con"), run: id("run") }),
  async run(ctx, input) {
    const connector = await loadConnector(ctx, input.id);
    const run = await loadRun(ctx, connector.id, input.run, "FOR UPDATE");
    if (run.status === "held") requireScope(ctx, "connectors:approve");
    if (run.status === "cancelled") return runView(run);
    if (run.status === "succeeded" || run.status === "failed") throw isOver(run.status);
    const [row] = await ctx.tx.sql<RunRow>(
      `UPDATE connector_runs SET status = 'cancelled', phase = 'clearing', sha256 = NULL, held = 0, finished_at = greatest($3, started_at) WHERE org_id = $1 AND id = $2 RETURNING ${runColumns}`,
      [ctx.orgId, run.id, ctx.now],
    );
    await ctx.tx.sql(
      `UPDATE connector_removals SET state = 'dropped' WHERE org_id = $1 AND run_id = $2 AND state = 'staged'`,
      [ctx.orgId, run.id],
    );
    await audit(
      ctx,
      "connector_run.cancelled",
      { type: "connector_run", id: publicId("run", run.id) },
      { connectorId: publicId("con", connector.id), held: run.held },
    );
    ctx.tx.nudgeAfterCommit("connectors");
    return runView(row!);
  },
});
