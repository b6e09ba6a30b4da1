import type { Id } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";

const batchSize = 20_000;

/** Deletes the next batch of a run's staged rows. Returns whether there may be more. */
async function clearRows(tx: Tx, orgId: Id<"org">, runId: Id<"run">): Promise<boolean> {
  const removed = await tx.sql(
    `DELETE FROM connector_rows WHERE org_id = $1 AND run_id = $2
       AND ctid = ANY(ARRAY(SELECT ctid FROM connector_rows WHERE org_id = $1 AND run_id = $2 ORDER BY key, line LIMIT $3)) RETURNING 1`,
    [orgId, runId, batchSize],
  );
  return removed.length === batchSize;
}

/**
 * Deletes a batch of staged rows of a run that has ended.
 * @returns false if there is no such run
 */
export async function clearNextRun(tx: Tx): Promise<boolean> {
  const [run] = await tx.sql<{ org_id: Id<"org">; id: Id<"run"> }>(
    `SELECT org_id, id FROM connector_runs WHERE phase = 'clearing' LIMIT 1 FOR UPDATE SKIP LOCKED`,
  );
  if (!run) return false;
  if (!(await clearRows(tx, run.org_id, run.id)))
    await tx.sql(`UPDATE connector_runs SET phase = 'finishing' WHERE org_id = $1 AND id = $2`, [run.org_id, run.id]);
  return true;
}
