import type { TxCtx } from "@/server/core/context";
import { isUniqueViolation } from "@/server/core/db";
import { readId, type Id } from "@/server/core/ids";
import { createGroup } from "@/server/groups/create";
import { renameGroup } from "@/server/groups/rename";
import type { Connection } from "../connection";
import { ScimError } from "../protocol/error";
import type { Fields } from "../protocol/values";
import { trace } from "../trace";
import { groupNameOf, type GroupName } from "./name";
import { scimGroupColumns, type ScimGroupRow } from "./row";

export const groupTaken = () =>
  new ScimError(409, "uniqueness", "Another group of this connection has this displayName or externalId.");

export const externalIdOf = ({ externalId }: Fields): string | null =>
  typeof externalId === "string" && externalId !== "" ? externalId : null;

/** Creates a static group and the row that says which connection provides it. Emits group.created. */
export async function insertGroup(ctx: TxCtx, connection: Connection, sent: Fields): Promise<ScimGroupRow> {
  const name = groupNameOf(sent["displayName"]);
  await requireFree(ctx, connection, name, externalIdOf(sent), null);
  const { id } = await createGroup(
    { ...ctx, scopes: new Set([...ctx.scopes, "groups:write"]) },
    { name: name.shown, kind: "static" },
  );
  return unique(
    ctx.tx.sql<ScimGroupRow>(
      `INSERT INTO scim_groups (org_id, connector_id, group_id, display_name, name_key, external_id, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING ${scimGroupColumns}`,
      [ctx.orgId, connection.id, readId("grp", id), name.written, name.key, externalIdOf(sent), ctx.now],
    ),
  );
}

/**
 * Writes the name and externalId of a locked group, shows it again if it was hidden, and counts a change. Emits
 * group.updated if its name changes.
 */
export async function updateGroupRow(
  ctx: TxCtx,
  connection: Connection,
  before: ScimGroupRow,
  sent: Fields,
): Promise<ScimGroupRow> {
  const name = groupNameOf(sent["displayName"]);
  const externalId = externalIdOf(sent);
  if (before.hidden_at || name.key !== before.name_key || externalId !== before.external_id)
    await requireFree(ctx, connection, name, externalId, before.group_id);
  const row = await unique(
    ctx.tx.sql<ScimGroupRow>(
      `UPDATE scim_groups SET display_name = $4, name_key = $5, external_id = $6, version = version + 1, hidden_at = NULL, updated_at = $7
       WHERE org_id = $1 AND connector_id = $2 AND group_id = $3 RETURNING ${scimGroupColumns}`,
      [ctx.orgId, connection.id, before.group_id, name.written, name.key, externalId, ctx.now],
    ),
  );
  if (!(await renameGroup(ctx, before.group_id, name.shown)))
    await trace(ctx, connection, "scim_group.written", { group: before.group_id });
  return row;
}

/**
 * Refuses a group whose externalId is taken, or whose name is taken if one of the two groups has no externalId: it may
 * be the same group, sent again after an answer was lost. Two groups may share a name if both have an externalId.
 */
async function requireFree(
  ctx: TxCtx,
  connection: Connection,
  name: GroupName,
  externalId: string | null,
  except: Id<"grp"> | null,
): Promise<void> {
  const [other] = await ctx.tx.sql(
    `SELECT 1 FROM scim_groups WHERE org_id = $1 AND connector_id = $2 AND hidden_at IS NULL AND group_id IS DISTINCT FROM $5
       AND (external_id = $4 OR name_key = $3 AND (external_id IS NULL OR $4::text IS NULL)) LIMIT 1`,
    [ctx.orgId, connection.id, name.key, externalId, except],
  );
  if (other) throw groupTaken();
}

async function unique(written: Promise<ScimGroupRow[]>): Promise<ScimGroupRow> {
  try {
    return (await written)[0]!;
  } catch (error) {
    throw isUniqueViolation(error) ? groupTaken() : error;
  }
}
