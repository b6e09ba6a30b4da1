import { sql } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { nextRun } from "@/server/core/schedule";
import { transaction, type Tx } from "@/server/core/transaction";
import { connectorColumns, type ConnectorRow } from "../view";
import { queueRun } from "./queue-run";

/**
 * Queues a run of the next connector whose schedule is due. It acts for the organisation, because a schedule outlives its
 * author (contract section 3). Skips this time if a fetch of the connector waits or runs. After an outage, all missed times
 * are made up for by one run. A connector whose run cannot be queued is put off for an hour.
 * @returns false if no connector is due
 */
export async function startDueConnector(now: Date): Promise<boolean> {
  let connector: DueConnector | undefined;
  try {
    return await transaction(async (tx) => {
      [connector] = await tx.sql<DueConnector>(due, [now]);
      return connector !== undefined && (await start(tx, connector, now));
    });
  } catch (error) {
    // It would be the first again at the next look, and keep the schedules of all others waiting.
    if (connector)
      await sql(
        `UPDATE connectors SET next_run_at = $3::timestamptz + interval '1 hour' WHERE org_id = $1 AND id = $2`,
        [connector.org_id, connector.id, now],
      );
    throw error;
  }
}

type DueConnector = ConnectorRow & { org_id: Id<"org">; busy: boolean };

async function start(tx: Tx, connector: DueConnector, now: Date): Promise<true> {
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
}

const due = `
SELECT org_id, ${connectorColumns}, EXISTS (
  SELECT FROM connector_runs run WHERE run.org_id = c.org_id AND run.connector_id = c.id AND run.status IN ('queued', 'running') AND run.trigger <> 'upload') AS busy
FROM connectors c WHERE next_run_at <= $1 AND deleted_at IS NULL AND status = 'active'
  AND NOT EXISTS (SELECT FROM organisations o WHERE o.id = c.org_id AND o.suspended_at IS NOT NULL)
ORDER BY next_run_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED`;
