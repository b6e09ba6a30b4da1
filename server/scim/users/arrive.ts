import type { TxCtx } from "@/server/core/context";
import type { Connection } from "../connection";
import { groupsAwaiting, joinAwaitingGroups } from "../groups/pending";
import type { Fields } from "../protocol/values";
import type { UserRow } from "./row";

/**
 * Adds a user to the groups that await the externalId which a PUT or PATCH gives the user. Call it with the lock of
 * arrivals, and before the user is saved: groups are locked before the connector, which a removal locks.
 * @param next the user as the directory sent it
 */
export async function joinByExternalId(
  ctx: TxCtx,
  connection: Connection,
  before: UserRow,
  { externalId }: Fields,
): Promise<void> {
  if (typeof externalId !== "string" || externalId === before.external_id) return;
  const groups = await groupsAwaiting(ctx, connection, [externalId]);
  if (groups.length > 0) await joinAwaitingGroups(ctx, connection, { ...before, external_id: externalId }, groups);
}
