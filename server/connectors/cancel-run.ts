import { z } from "zod";
import { audit } from "@/server/access/audit";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";
import { endRuns } from "./end-runs";
import { loadConnector } from "./load";
import { isOver } from "./run-state";
import { loadRun, runView } from "./run-view";

/**
 * Cancels a run. The deactivations of a held run are dropped. A running one stops after its current step; what it has
 * applied so far stays. Requires connectors:approve for a held run. Leaves an audit entry.
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
    const [row] = await endRuns(ctx, [run.id], { status: "cancelled" });
    await audit(
      ctx,
      "connector_run.cancelled",
      { type: "connector_run", id: publicId("run", run.id) },
      { connectorId: publicId("con", connector.id), held: run.held },
    );
    return runView(row!);
  },
});
