import { advisoryLocks } from "@/server/core/advisory-locks";
import type { TxCtx } from "@/server/core/context";
import { publicId, uuidOf, type Id } from "@/server/core/ids";
import { insertMembers } from "@/server/groups/change-members";
import type { Connection } from "../connection";
import type { UserRow } from "../users/row";
import type { FoundUsers } from "./find-users";
import { touchGroups } from "./touch";

/**
 * Takes the arrivals lock of a connection: shared for a request that creates a user, gives one another externalId or
 * shows one again, exclusive for a request that names an unknown member. As a result, either the new user finds the waiting membership,
 * or the membership finds the new user. Requests that create users do not wait for each other.
 */
export function lockArrivals(ctx: TxCtx, connection: Pick<Connection, "id">, side: "arrives" | "awaits"): void {
  const lock = side === "awaits" ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared";
  ctx.tx.send(`SELECT ${lock}($1, hashtext($2))`, [advisoryLocks.scimArrivals, uuidOf(connection.id)]);
}

/** Finds the groups of a connection that list one of these values as a pending member. */
export async function groupsAwaiting(ctx: TxCtx, connection: Connection, values: string[]): Promise<Id<"grp">[]> {
  if (values.length === 0) return [];
  const rows = await ctx.tx.sql<{ group_id: Id<"grp"> }>(
    `SELECT DISTINCT group_id FROM scim_pending_members WHERE org_id = $1 AND connector_id = $2 AND value = ANY($3::text[]) AND leaving_since IS NULL`,
    [ctx.orgId, connection.id, values],
  );
  return rows.map((row) => row.group_id);
}

/**
 * Adds a new user to the groups that already listed the user as a member.
 *
 * @param awaiting the result of groupsAwaiting()
 */
export async function joinAwaitingGroups(
  ctx: TxCtx,
  connection: Connection,
  user: UserRow,
  awaiting: Id<"grp">[],
): Promise<void> {
  // Locked before the waiting members, as in every other request about a group.
  touchGroups(ctx, [...new Set(awaiting)]);
  const values = [publicId("sub", user.subject_id), ...(user.external_id === null ? [] : [user.external_id])];
  await joinByValue(ctx, connection, new Map(values.map((value) => [value, user.subject_id])));
}

/** Adds users to the groups that await one of these values. Call it with the arrivals lock and the groups locked. */
export async function joinByValue(ctx: TxCtx, connection: Connection, users: FoundUsers): Promise<void> {
  if (users.size === 0) return;
  const joined = await ctx.tx.sql<{ group_id: Id<"grp">; value: string }>(
    `DELETE FROM scim_pending_members WHERE org_id = $1 AND connector_id = $2 AND value = ANY($3::text[]) AND leaving_since IS NULL RETURNING group_id, value`,
    [ctx.orgId, connection.id, [...users.keys()]],
  );
  for (const [groupId, rows] of Map.groupBy(joined, (row) => row.group_id))
    await insertMembers(ctx, groupId, [...new Set(rows.map(({ value }) => users.get(value)!))]);
}
