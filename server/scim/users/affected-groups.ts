import { isDeepStrictEqual } from "node:util";
import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { keyOf } from "@/server/connectors/directory/map-user";
import type { Connection } from "../connection";
import { groupsAwaiting, joinAwaitingGroups } from "../groups/pending";
import { touchGroups } from "../groups/touch";
import type { Fields } from "../protocol/values";
import { membershipsOf } from "./leave-groups";
import { lockKey } from "./lock";
import type { UserRow } from "./row";

/**
 * Writes the changes in groups that a PUT or PATCH of a user causes: the user joins the groups that await the new
 * externalId, and groups that show a changed member's name get another ETag. Call it with the arrivals lock, and before
 * the user is saved, because groups are locked before the connector, which a removal locks.
 *
 * @param next the user as the directory sent it
 */
export async function changeAffectedGroups(
  ctx: TxCtx,
  connection: Connection,
  before: UserRow,
  next: Fields,
): Promise<void> {
  if (changesKey(before, next)) lockKey(ctx, before.subject_id);
  const { externalId } = next;
  const isNewId = typeof externalId === "string" && externalId !== before.external_id;
  const awaiting = isNewId ? await groupsAwaiting(ctx, connection, [externalId]) : [];
  const naming = isRenamed(before.resource, next) ? await membershipsOf(ctx, connection, [before.subject_id]) : [];
  // All at once, because groups are locked in the order of their ids.
  touchGroups(ctx, [...new Set([...awaiting, ...naming.map((row) => row.group_id)])]);
  if (isNewId && awaiting.length > 0)
    await joinAwaitingGroups(ctx, connection, { ...before, external_id: externalId }, awaiting);
}

/**
 * Counts a change of the groups that show a user whom a POST restores: a member who is shown again, under another name,
 * or under an id for which a group waits. Like changeAffectedGroups, call it before the user is saved.
 */
export async function touchGroupsOfRestored(
  ctx: TxCtx,
  connection: Connection,
  before: UserRow,
  next: Fields,
  awaiting: Id<"grp">[],
): Promise<void> {
  if (changesKey(before, next)) lockKey(ctx, before.subject_id);
  const isShownAnew = before.hidden_at !== null || isRenamed(before.resource, next);
  const naming = isShownAnew ? await membershipsOf(ctx, connection, [before.subject_id]) : [];
  touchGroups(ctx, [...new Set([...awaiting, ...naming.map((row) => row.group_id)])]);
}

/** Whether the person may get another external id. */
const changesKey = (before: UserRow, next: Fields): boolean => keyOf(next) !== keyOf(before.resource);

const isRenamed = (before: Fields, next: Fields): boolean =>
  ["displayName", "name"].some((name) => !isDeepStrictEqual(plain(before[name]), plain(next[name])));

/** Objects of a request have no prototype, but stored ones do. */
const plain = (value: Fields[string] | undefined): unknown => JSON.parse(JSON.stringify(value ?? null));
