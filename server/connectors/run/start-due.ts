import { publicId, type Id } from "@/server/core/ids";
import { nextRun } from "@/server/core/schedule";
import { transaction } from "@/server/core/transaction";
import { connectorColumns, type ConnectorRow } from "../view";
import { queueRun } from "./queue-run";

/**
 * Queues a run of the next connector whose schedule is due. It acts for the organisation, because a schedule outlives its
 * author (contract section 3). Skips this time if a fetch of the connector waits or runs. After an outage, all missed times
 * are made up for by one run.
 * @returns false if no connector is due
 */
export function startDueConnector(now: Date): Promise<boolean> {
  return transaction(async (tx) => {
    const [connector] = await tx.sql<ConnectorRow & { org_id: Id<"org">; busy: boolean }>(due, [now]);
    if (!connector) return false;
    await tx.sql(`UPDATE connectors SET next_run_at = $3 WHERE org_id = $1 AND id = $2`, [
      connector.org_id,
      connector.id,
      nextRun(connector.schedule, now),
    ]);
    if (connector.busy) return true;
    const actor = { type: "job" as const, id: publicId("con", connector.id) };
    const ctx = { orgId: connector.org_id, actor, scopes: new Set<never>(), requestId: actor.id, now, tx };
    await queueRun(ctx, connector, { trigger: "schedule", actor, scopes: ["connectors:run"] });
    return true;
  });
}

const due = `
SELECT org_id, ${connectorColumns}, EXISTS (
  SELECT FROM connector_runs run WHERE run.org_id = c.org_id AND run.connector_id = c.id AND run.status IN ('queued', 'running') AND run.trigger <> 'upload') AS busy
FROM connectors c WHERE next_run_at <= $1 AND deleted_at IS NULL AND status = 'active'
  AND NOT EXISTS (SELECT FROM organisations o WHERE o.id = c.org_id AND o.suspended_at IS NOT NULL)
ORDER BY next_run_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED`;
