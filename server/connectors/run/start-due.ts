import { audit } from "@/server/access/audit";
import { publicId, type Id } from "@/server/core/ids";
import { nextRun } from "@/server/core/schedule";
import { startDue } from "@/server/core/start-due";
import type { Tx } from "@/server/core/transaction";
import { connectorColumns, type ConnectorRow } from "../view";
import { queueRun } from "./queue-run";

/**
 * Queues a run of the next connector whose schedule is due. It acts for the organisation, because a schedule outlives its
 * author (contract section 3). Skips this time if a fetch of the connector waits or runs. After an outage, all missed times
 * are made up for by one run. A connector whose run cannot be queued is put off for an hour.
 *
 * @returns false if no connector is due
 */
export function startDueConnector(now: Date): Promise<boolean> {
  return startDue<DueConnector>({
    claim: async (tx) => (await tx.sql<DueConnector>(due, [now]))[0],
    async start(tx, connector) {
      await tx.sql(`UPDATE connectors SET next_run_at = $3 WHERE org_id = $1 AND id = $2`, [
        connector.org_id,
        connector.id,
        nextRun(connector.schedule, now),
      ]);
      if (connector.busy) return;
      const ctx = jobCtx(tx, connector, now);
      await queueRun(ctx, connector, { trigger: "schedule", actor: ctx.actor, scopes: ["connectors:run"] });
    },
    async putOff(tx, connector) {
      // Not if somebody has paused, deleted or rescheduled the connector meanwhile.
      const [put] = await tx.sql<{ next_run_at: Date }>(
        `UPDATE connectors SET next_run_at = $3::timestamptz + interval '1 hour'
         WHERE org_id = $1 AND id = $2 AND next_run_at <= $3 AND status = 'active' AND deleted_at IS NULL RETURNING next_run_at`,
        [connector.org_id, connector.id, now],
      );
      if (!put) return;
      const ctx = jobCtx(tx, connector, now);
      await audit(
        ctx,
        "connector.schedule_put_off",
        { type: "connector", id: ctx.actor.id },
        { nextRunAt: put.next_run_at.toISOString() },
      );
    },
  });
}

type DueConnector = ConnectorRow & { org_id: Id<"org">; busy: boolean };

/** The connector acts for its organisation. */
function jobCtx(tx: Tx, connector: DueConnector, now: Date) {
  const actor = { type: "job" as const, id: publicId("con", connector.id) };
  return { orgId: connector.org_id, actor, scopes: new Set<never>(), requestId: actor.id, now, tx };
}

const due = `
SELECT org_id, ${connectorColumns}, EXISTS (
  SELECT FROM connector_runs run WHERE run.org_id = c.org_id AND run.connector_id = c.id AND run.status IN ('queued', 'running') AND run.trigger <> 'upload') AS busy
FROM connectors c WHERE next_run_at <= $1 AND deleted_at IS NULL AND status = 'active'
  AND NOT EXISTS (SELECT FROM organisations o WHERE o.id = c.org_id AND o.suspended_at IS NOT NULL)
ORDER BY next_run_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED`;
