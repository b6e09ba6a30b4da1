import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/**
 * Counts a change of the groups of directories that people leave because they are deleted or erased, so that the ETag of
 * each group is new. The groups are locked in one order, after the people (server/scim/users/lock.ts). Sent without
 * waiting for the locks.
 */
export function touchDirectoryGroups(ctx: TxCtx, people: Id<"sub">[]): void {
  ctx.tx.send(
    `UPDATE scim_groups g SET version = g.version + 1, updated_at = $3
     FROM (
       SELECT group_id FROM scim_groups WHERE org_id = $1 AND group_id IN (
         SELECT m.group_id FROM unnest($2::uuid[]) AS given (id)
         CROSS JOIN LATERAL (SELECT group_id FROM group_members WHERE org_id = $1 AND subject_id = given.id OFFSET 0) m
       ) ORDER BY group_id FOR UPDATE
     ) held
     WHERE g.org_id = $1 AND g.group_id = held.group_id`,
    [ctx.orgId, people, ctx.now],
  );
}
