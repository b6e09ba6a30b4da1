import { z } from "zod";
import { audit } from "@/server/access/audit";
import { revokeConnectorKeys } from "@/server/access/connector-keys";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { retryDeadlock } from "@/server/core/retry-deadlock";
import type { TxCtx } from "@/server/core/context";
import { endRuns } from "./end-runs";
import { loadConnector } from "./load";
import { lockRuns } from "./lock-runs";
import { connectorTag, connectorView } from "./view";

/**
 * Deletes a connector. Its people stay, but it no longer counts as a source of them: a field that it decided gets the
 * value of the next directory that states it, and stays as it is if none does. A job writes these values afterwards
 * (fall-back-from-deleted.ts). Runs that are queued, running or held are cancelled. For a SCIM connection, tokens are revoked and removals that wait for approval are
 * dropped: the people stay active. The retention sweep deletes its rows. Leaves an audit entry, which counts the dropped
 * removals.
 */
export const deleteConnector = command({
  name: "connectors.delete",
  scope: "connectors:write",
  input: z.strictObject({ id: id("con"), ifMatch }),
  async run(ctx, input) {
    const { connector, runs } = await retryDeadlock(() => ctx.tx.savepoint(() => lockAll(ctx, input.id)));
    requireMatch(input.ifMatch, connectorTag(connectorView(connector)));
    const { id: connectorId, name } = connector;
    // Without another directory, there are no values to give.
    await ctx.tx.sql(
      `UPDATE connectors SET deleted_at = $3,
         fall_back_after = CASE WHEN EXISTS (SELECT FROM connectors other WHERE other.org_id = $1 AND other.id <> $2 AND other.type = 'scim' AND other.deleted_at IS NULL) THEN '' END
       WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, connectorId, ctx.now],
    );
    ctx.tx.nudgeAfterCommit("connectors");
    await endRuns(ctx, runs, { status: "cancelled" });
    const dropped = await ctx.tx.sql(
      `UPDATE scim_removals SET state = 'dropped' WHERE org_id = $1 AND connector_id = $2 AND state = 'staged' RETURNING 1`,
      [ctx.orgId, connectorId],
    );
    await revokeConnectorKeys(ctx, connectorId);
    await audit(
      ctx,
      "connector.deleted",
      { type: "connector", id: publicId("con", connectorId) },
      { name, ...(dropped.length > 0 && { removalsDropped: dropped.length }) },
    );
  },
});

/**
 * Locks the connector and its unfinished runs. The order is that of a run's step, to avoid deadlocks: runs before the
 * connector. A run that is queued between the two can still cause a deadlock.
 */
async function lockAll(ctx: TxCtx, id: Id<"con">) {
  await lockRuns(ctx, id);
  const connector = await loadConnector(ctx, id, "FOR UPDATE");
  return { connector, runs: (await lockRuns(ctx, id)).map((run) => run.id) };
}
