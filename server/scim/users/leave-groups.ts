import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { deleteMembers } from "@/server/groups/change-members";
import type { Connection } from "../connection";
import { takeOut } from "../groups/change-members";
import { touchGroups } from "../groups/touch";

/**
 * Locks the groups of the connection that a user is in, and counts a change, because SCIM no longer shows the user
 * there.
 */
export async function lockGroupsOf(ctx: TxCtx, connection: Connection, user: Id<"sub">): Promise<Id<"grp">[]> {
  const ids = (await membershipsOf(ctx, connection, [user])).map((row) => row.group_id);
  touchGroups(ctx, ids);
  return ids;
}

/** Removes a deleted user whom another source still provides from groups, within the limit of removals. */
export async function leaveGroups(
  ctx: TxCtx,
  connection: Connection,
  user: Id<"sub">,
  groups: Id<"grp">[],
): Promise<void> {
  for (const id of groups) await takeOut(ctx, connection, id, [user]);
}

/** Removes deleted users from the groups of the connection. Emits group.members_removed for each group. */
export async function endMemberships(ctx: TxCtx, connection: Connection, users: Id<"sub">[]): Promise<void> {
  if (users.length === 0) return;
  const byGroup = Map.groupBy(await membershipsOf(ctx, connection, users), (row) => row.group_id);
  for (const [groupId, rows] of byGroup)
    await deleteMembers(
      ctx,
      groupId,
      rows.map((row) => row.subject_id),
    );
}

/** The memberships of users in the groups of the connection. */
export const membershipsOf = (ctx: TxCtx, connection: Connection, users: Id<"sub">[]) =>
  ctx.tx.sql<{ group_id: Id<"grp">; subject_id: Id<"sub"> }>(
    `SELECT m.group_id, m.subject_id FROM unnest($3::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT group_id, subject_id FROM group_members WHERE org_id = $1 AND subject_id = given.id OFFSET 0) m
     CROSS JOIN LATERAL (SELECT 1 FROM scim_groups WHERE org_id = $1 AND group_id = m.group_id AND connector_id = $2 OFFSET 0) g
     ORDER BY m.group_id, m.subject_id`,
    [ctx.orgId, connection.id, users],
  );
