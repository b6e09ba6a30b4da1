import type { Ctx, TxCtx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { publicId, readId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import type { Connection } from "../connection";
import { ScimError } from "../protocol/error";
import type { Fields } from "../protocol/values";
import { lockPeople } from "./lock";

/** A row of `scim_users`. */
export interface UserRow {
  subject_id: Id<"sub">;
  user_key: string;
  external_id: string | null;
  active: boolean;
  resource: Fields;
  version: number;
  hidden_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const userColumns =
  "subject_id, user_key, external_id, active, resource, version, hidden_at, created_at, updated_at";

/** How userNames and e-mail addresses are compared: without regard to case. */
export const fold = (text: string): string => text.normalize("NFC").trim().toLowerCase();

/**
 * A person as the connection's provider wrote them.
 * @throws ScimError 404, also for a person whom the provider deleted or the connection does not provide
 */
export async function loadUser(ctx: Ctx, connection: Connection, id: string): Promise<UserRow> {
  const [row] = await reading(ctx).sql<UserRow>(
    `SELECT ${userColumns} FROM scim_users WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND subject_id = $3 AND hidden_at IS NULL`,
    [ctx.orgId, connection.id, readId("sub", id)],
  );
  if (row) return row;
  throw new ScimError(404, undefined, "There is no such user in this connection.");
}

/** As loadUser, for a change: the person is locked. */
export async function lockUser(ctx: TxCtx, connection: Connection, id: string): Promise<UserRow> {
  const subjectId = readId("sub", id);
  if (typeof subjectId === "string") await lockPeople(ctx, connection, [subjectId]);
  return loadUser(ctx, connection, id);
}

export const userId = (row: Pick<UserRow, "subject_id">) => publicId("sub", row.subject_id);
