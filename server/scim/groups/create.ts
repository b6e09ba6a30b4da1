import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { command } from "@/server/core/operation";
import { connectionOf, type Connection } from "../connection";
import { replaceMembers, splitMembers } from "../protocol/member-delta";
import { groupSchema } from "../protocol/schemas";
import { readResource, type Fields } from "../protocol/values";
import { projection } from "../query";
import { requestBody } from "../request-body";
import { note } from "../requests/effect";
import { changeMembers } from "./change-members";
import { resolveDelta } from "./resolve-delta";
import { groupNameOf } from "./name";
import { scimGroupColumns, type ScimGroupRow } from "./row";
import { externalIdOf, insertGroup, updateGroupRow } from "./store";
import { groupViews } from "./view";

/**
 * Creates a group with its members (RFC 7644 section 3.3): a static group that the directory provides. Restores a group
 * that the directory deleted and a policy kept. Emits group.created and group.members_added.
 *
 * @throws ScimError uniqueness, invalidValue
 */
export const createScimGroup = command({
  name: "scim.groups.create",
  scope: "scim",
  input: z.strictObject({ body: requestBody, projection }),
  async run(ctx, { body, projection: asked }) {
    const connection = await connectionOf(ctx);
    const { members, rest } = splitMembers(body);
    const sent = readResource(groupSchema, rest);
    const delta = await resolveDelta(ctx, connection, null, replaceMembers(members));
    const former = await formerGroup(ctx, connection, sent);
    const row = former ? await updateGroupRow(ctx, connection, former, sent) : await insertGroup(ctx, connection, sent);
    note(ctx, former ? "restored" : "created");
    await changeMembers(ctx, connection, row.group_id, delta);
    return (await groupViews(ctx, connection, [row], asked))[0]!;
  },
});

/** Finds and locks the hidden group that a POST restores: by externalId, or by name if there is none. */
async function formerGroup(ctx: TxCtx, connection: Connection, sent: Fields): Promise<ScimGroupRow | null> {
  const { key } = groupNameOf(sent["displayName"]);
  const [row] = await ctx.tx.sql<ScimGroupRow>(
    `SELECT ${scimGroupColumns} FROM scim_groups WHERE org_id = $1 AND connector_id = $2 AND hidden_at IS NOT NULL
       AND (external_id = $4 OR name_key = $3 AND (external_id IS NULL OR $4::text IS NULL))
     ORDER BY external_id IS NOT DISTINCT FROM $4 DESC, hidden_at DESC LIMIT 1 FOR UPDATE`,
    [ctx.orgId, connection.id, key, externalIdOf(sent)],
  );
  return row ?? null;
}
