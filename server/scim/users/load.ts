import type { Ctx, TxCtx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { readId } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import type { Connection } from "../connection";
import { ScimError } from "../protocol/error";
import { lockPeople } from "./lock";
import { userColumns, type UserRow } from "./row";
import { findUnwritten, writeDown } from "./unwritten";

/**
 * A person as the connection's provider wrote them.
 * @throws ScimError 404, also for a person whom the provider deleted or the connection does not provide
 */
export async function loadUser(ctx: Ctx, connection: Connection, id: string): Promise<UserRow> {
  const [row] = await reading(ctx).sql<UserRow>(
    `SELECT ${userColumns} FROM scim_users WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND subject_id = $3 AND hidden_at IS NULL`,
    [ctx.orgId, connection.id, readId("sub", id)],
  );
  const found = row ?? (connection.is_default && (await findUnwritten(ctx, connection, { id: readId("sub", id) })));
  if (found) return found;
  throw new ScimError(404, undefined, "There is no such user in this connection.");
}

/** Does the same as loadUser for a change: the person is locked. */
export async function lockUser(ctx: TxCtx, connection: Connection, id: string): Promise<UserRow> {
  const subjectId = readId("sub", id);
  if (typeof subjectId === "string") {
    lockPeople(ctx, connection, [subjectId]);
    if (connection.is_default) await writeDown(ctx, connection, subjectId);
  }
  return loadUser(ctx, connection, id);
}
