import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { publicId, readId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import type { Connection } from "../connection";
import { ScimError } from "../protocol/error";

/** A row of `scim_groups`. */
export interface ScimGroupRow {
  group_id: Id<"grp">;
  display_name: string;
  name_key: string;
  external_id: string | null;
  version: number;
  hidden_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const scimGroupColumns =
  "group_id, display_name, name_key, external_id, version, hidden_at, created_at, updated_at";

/**
 * Loads a group as the connection's provider wrote it. With a lock, requests about the group run one after another, so
 * that each sees the members of the previous one.
 *
 * @throws ScimError 404, also for a group that the provider deleted or did not create
 */
export async function loadScimGroup(
  ctx: Ctx,
  connection: Connection,
  id: string,
  lock: "" | "FOR UPDATE" = "",
): Promise<ScimGroupRow> {
  const [row] = await reading(ctx).sql<ScimGroupRow>(
    `SELECT ${scimGroupColumns} FROM scim_groups WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND group_id = $3 AND hidden_at IS NULL ${lock}`,
    [ctx.orgId, connection.id, readId("grp", id)],
  );
  if (row) return row;
  throw new ScimError(404, undefined, "There is no such group in this connection.");
}

export const scimGroupId = (row: Pick<ScimGroupRow, "group_id">) => publicId("grp", row.group_id);
