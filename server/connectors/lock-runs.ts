import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { Phase } from "./run/work";

/**
 * Locks the runs of a connector that are queued, running or held, the newest first, as a run that supersedes older ones
 * does. A run does not start its next step while it is locked.
 */
export const lockRuns = (ctx: TxCtx, connectorId: Id<"con">): Promise<{ id: Id<"run">; phase: Phase }[]> =>
  ctx.tx.sql<{ id: Id<"run">; phase: Phase }>(
    `SELECT id, phase FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND status IN ('queued', 'running', 'held') ORDER BY id DESC FOR UPDATE`,
    [ctx.orgId, connectorId],
  );
