import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { feedingPolicies } from "@/server/groups/uses";

/** Lists the groups that the connector gives and on which policies depend. */
export async function guardedGroups(ctx: TxCtx, connectorId: Id<"con">): Promise<Id<"grp">[]> {
  const linked = await ctx.tx.sql<{ id: Id<"grp"> }>(
    `SELECT DISTINCT group_id AS id FROM connector_groups WHERE org_id = $1 AND connector_id = $2`,
    [ctx.orgId, connectorId],
  );
  return feedingPolicies(
    ctx,
    linked.map(({ id }) => id),
  );
}
