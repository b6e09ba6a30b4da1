import type { TxCtx } from "@/server/core/context";
import { append } from "@/server/events/append";
import { groupFactsOf, type GroupRow } from "./view";

/**
 * Deletes a group and its memberships; the people stay. Emits only group.deleted, which ends all memberships at once.
 *
 * @param group locked FOR UPDATE, and named by no rule or policy
 */
export async function dropGroup(ctx: TxCtx, group: GroupRow): Promise<void> {
  const key = [ctx.orgId, group.id];
  // Members first, because their trigger writes a delta, which must be deleted after them.
  ctx.tx.send(`DELETE FROM group_members WHERE org_id = $1 AND group_id = $2`, key);
  ctx.tx.send(`DELETE FROM groups WHERE org_id = $1 AND id = $2`, key);
  ctx.tx.send(`DELETE FROM group_count_deltas WHERE org_id = $1 AND group_id = $2`, key);
  ctx.tx.send(`DELETE FROM group_counts WHERE org_id = $1 AND group_id = $2`, key);
  await append(ctx, { type: "group.deleted", resourceId: group.id, object: groupFactsOf(group) });
}
