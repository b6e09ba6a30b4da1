import { z } from "zod";
import { audit } from "@/server/access/audit";
import { revokeConnectorKeys } from "@/server/access/connector-keys";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { endRuns } from "./end-runs";
import { loadConnector } from "./load";
import { connectorTag, connectorView } from "./view";

/**
 * Deletes a connector. Its people stay as they are and it provides them no more; runs that are under way or held are
 * cancelled. Of a SCIM connection, tokens are revoked and removals that wait for a person are dropped. Leaves an audit entry. The retention sweep removes its rows.
 */
export const deleteConnector = command({
  name: "connectors.delete",
  scope: "connectors:write",
  input: z.strictObject({ id: id("con"), ifMatch }),
  async run(ctx, input) {
    const connector = await loadConnector(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, connectorTag(connectorView(connector)));
    const { id: connectorId, name } = connector;
    await ctx.tx.sql(`UPDATE connectors SET deleted_at = $3 WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      connectorId,
      ctx.now,
    ]);
    const runs = await ctx.tx.sql<{ id: Id<"run"> }>(
      `SELECT id FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND status IN ('queued', 'running', 'held') ORDER BY id FOR UPDATE`,
      [ctx.orgId, connectorId],
    );
    await endRuns(
      ctx,
      runs.map((run) => run.id),
      { status: "cancelled" },
    );
    await ctx.tx.sql(
      `UPDATE scim_removals SET state = 'dropped' WHERE org_id = $1 AND connector_id = $2 AND state = 'staged'`,
      [ctx.orgId, connectorId],
    );
    await revokeConnectorKeys(ctx, connectorId);
    await audit(ctx, "connector.deleted", { type: "connector", id: publicId("con", connectorId) }, { name });
  },
});
