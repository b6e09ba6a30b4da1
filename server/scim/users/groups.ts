import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { publicId, readId, uuidOf, type Id } from "@/server/core/ids";
import type { Parameter } from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";
import type { Connection } from "../connection";
import { isShown } from "../groups/shown";
import { badRequest } from "../protocol/error";
import type { Comparison, Value } from "../protocol/filter";
import { fields, type Fields } from "../protocol/values";
import { scimBase } from "../scim-base";

/** The groups of users in which their directory has them (RFC 7643 section 4.1.2). Users without groups are missing. */
export async function groupsOfUsers(
  ctx: Ctx,
  connection: Connection,
  users: Id<"sub">[],
): Promise<ReadonlyMap<Id<"sub">, Fields[]>> {
  const groups = new Map<Id<"sub">, Fields[]>();
  if (users.length === 0) return groups;
  const rows = await reading(ctx).sql<{ user: Id<"sub">; group_id: Id<"grp">; display: string }>(read, [
    ctx.orgId,
    connection.id,
    users,
  ]);
  for (const { user, group_id, display } of rows) {
    const id = publicId("grp", group_id);
    const group = fields({ value: id, $ref: `${scimBase()}/Groups/${id}`, display, type: "direct" });
    groups.set(user, [...(groups.get(user) ?? []), group]);
  }
  return groups;
}

const read = `
SELECT m.subject_id AS user, m.group_id, g.display_name AS display
FROM unnest($3::uuid[]) AS given (id)
CROSS JOIN LATERAL (SELECT group_id, subject_id, added_at FROM group_members WHERE org_id = ${opaque("$1")} AND subject_id = given.id OFFSET 0) m
CROSS JOIN LATERAL (
  SELECT display_name FROM scim_groups WHERE org_id = ${opaque("$1")} AND group_id = m.group_id AND connector_id = $2 AND hidden_at IS NULL OFFSET 0
) g
WHERE ${isShown}
ORDER BY m.group_id`;

/**
 * A condition on the groups of `scim_users`; null for another attribute.
 * @throws ScimError invalidFilter for what groups cannot be compared by
 */
export function groupsSql(name: string, op: Comparison | "pr", value: Value, parameter: Parameter): string | null {
  if (name !== "groups" && !name.startsWith("groups.")) return null;
  if ((name !== "groups" && name !== "groups.value") || (op !== "eq" && op !== "pr"))
    throw badRequest("invalidFilter", "Groups of a user are compared by their value: by eq, ne or pr.");
  const id = op === "eq" ? readId("grp", String(value)) : null;
  const which = id === null ? "" : `AND m.group_id = ${parameter(typeof id === "string" ? uuidOf(id) : null)}::uuid`;
  const whose = `SELECT m.subject_id FROM group_members m WHERE m.org_id = $1 ${which} AND ${isShown}
    AND m.group_id IN (SELECT group_id FROM scim_groups WHERE org_id = $1 AND connector_id = $2 AND hidden_at IS NULL)`;
  // Found once, not for each user.
  return `subject_id = ANY(ARRAY(${whose}))`;
}
