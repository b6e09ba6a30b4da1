import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/**
 * Locks groups in a fixed order and counts a change of each, which changes their ETags. Sent without waiting for the
 * locks.
 */
export function touchGroups(ctx: TxCtx, ids: Id<"grp">[]): void {
  if (ids.length === 0) return;
  ctx.tx.send(
    `UPDATE scim_groups g SET version = g.version + 1, updated_at = $3
     FROM (SELECT group_id FROM scim_groups WHERE org_id = $1 AND group_id = ANY($2::uuid[]) ORDER BY group_id FOR UPDATE) held
     WHERE g.org_id = $1 AND g.group_id = held.group_id`,
    [ctx.orgId, ids, ctx.now],
  );
}

/** Locks groups in a fixed order, for a change that the provider does not see. Sent without waiting for the locks. */
export function lockGroups(ctx: TxCtx, ids: Id<"grp">[]): void {
  if (ids.length === 0) return;
  ctx.tx.send(
    `SELECT 1 FROM (SELECT group_id FROM scim_groups WHERE org_id = $1 AND group_id = ANY($2::uuid[]) ORDER BY group_id FOR UPDATE) held`,
    [ctx.orgId, ids],
  );
}
