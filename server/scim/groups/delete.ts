import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { requireMatch } from "@/server/core/entity-tag";
import { publicId, readId, type Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { dropGroup } from "@/server/groups/drop";
import { loadGroup } from "@/server/groups/load";
import { usersOfGroup } from "@/server/groups/uses";
import { connectionOf, type Connection } from "../connection";
import { replaceMembers } from "../protocol/member-delta";
import { note } from "../requests/effect";
import { changeMembers, lockLeaving } from "./change-members";
import { resolveDelta, type ResolvedDelta } from "./resolve-delta";
import { loadScimGroup } from "./row";

/**
 * Deletes a group (RFC 7644 section 3.6). If a policy or the rule of another group names it, the group stays without
 * its members and is hidden from SCIM; a POST restores it. Members leave within the limit; beyond it their removal is
 * staged. Leaves an audit entry, since a group that stays may not change.
 */
export const deleteScimGroup = command({
  name: "scim.groups.delete",
  scope: "scim",
  input: z.strictObject({ id: z.string(), ifMatch: z.string().optional() }),
  async run(ctx, input) {
    const connection = await connectionOf(ctx);
    const delta = await resolveDelta(ctx, connection, null, replaceMembers([]));
    await lockLeaving(ctx, connection, readId("grp", input.id), delta);
    const { group_id: id, version } = await loadScimGroup(ctx, connection, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, `"${version}"`);
    note(ctx, "deleted");
    const facts = { connectorId: publicId("con", connection.id) };
    await audit(ctx, "scim_group.deleted", { type: "group", id: publicId("grp", id) }, facts);
    // A transaction that saves a rule or policy with this group holds the group FOR KEY SHARE.
    const group = await loadGroup(ctx, id, "FOR UPDATE");
    if ((await usersOfGroup(ctx, id)).length === 0) await dropGroup(ctx, group);
    else await hide(ctx, connection, id, delta);
  },
});

async function hide(ctx: TxCtx, connection: Connection, id: Id<"grp">, delta: ResolvedDelta): Promise<void> {
  await changeMembers(ctx, connection, id, delta);
  await ctx.tx.sql(
    `UPDATE scim_groups SET hidden_at = $3, version = version + 1, updated_at = $3 WHERE org_id = $1 AND group_id = $2`,
    [ctx.orgId, id, ctx.now],
  );
}
