import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { insertMembers } from "@/server/groups/change-members";
import type { Connection } from "../connection";
import { findUsers, type FoundUsers } from "./find-users";
import { lockArrivals } from "./pending";

/** SQL: whether a removal from the group `group` of connection `connection` waits for approval. */
export const hasWaiting = (group: string, connection: string) => `EXISTS (
  SELECT FROM scim_removals WHERE org_id = $1 AND connector_id = ${connection} AND group_id = ${group} AND state = 'staged')`;

/**
 * Finds and locks users who were created while they waited as unknown members that leave: a discard makes them members.
 * Call it before people are locked (server/scim/users/lock.ts).
 */
export async function findReturning(ctx: TxCtx, connection: Connection): Promise<FoundUsers> {
  const leaving = () =>
    ctx.tx.sql<{ value: string }>(
      `SELECT DISTINCT value FROM scim_pending_members WHERE org_id = $1 AND connector_id = $2 AND leaving_since IS NOT NULL`,
      [ctx.orgId, connection.id],
    );
  if ((await leaving()).length === 0) return new Map();
  lockArrivals(ctx, connection, "awaits");
  const values = (await leaving()).map((row) => row.value);
  return findUsers(ctx, connection, values, "FOR KEY SHARE");
}

/** Restores the unknown members that left these locked groups with removals which a person discarded. */
export async function bringBack(
  ctx: TxCtx,
  connection: Connection,
  groups: Id<"grp">[],
  users: FoundUsers,
): Promise<void> {
  if (groups.length === 0) return;
  const joining = await ctx.tx.sql<{ group_id: Id<"grp">; value: string }>(
    `DELETE FROM scim_pending_members WHERE org_id = $1 AND connector_id = $2 AND group_id = ANY($3::uuid[]) AND leaving_since IS NOT NULL AND value = ANY($4::text[])
     RETURNING group_id, value`,
    [ctx.orgId, connection.id, groups, [...users.keys()]],
  );
  ctx.tx.send(
    `UPDATE scim_pending_members SET leaving_since = NULL WHERE org_id = $1 AND connector_id = $2 AND group_id = ANY($3::uuid[]) AND leaving_since IS NOT NULL`,
    [ctx.orgId, connection.id, groups],
  );
  for (const [groupId, rows] of Map.groupBy(joining, (row) => row.group_id))
    await insertMembers(ctx, groupId, [...new Set(rows.map(({ value }) => users.get(value)!))]);
}

/** Deletes the unknown members that left these groups, if no removal waits any more that a discard could undo. */
export function forgetLeft(ctx: TxCtx, connection: Connection, groups: Id<"grp">[]): void {
  if (groups.length === 0) return;
  ctx.tx.send(
    `DELETE FROM scim_pending_members left_group WHERE org_id = $1 AND connector_id = $2 AND group_id = ANY($3::uuid[]) AND leaving_since IS NOT NULL
       AND NOT ${hasWaiting("left_group.group_id", "$2")}`,
    [ctx.orgId, connection.id, groups],
  );
}
