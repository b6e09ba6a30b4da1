import { createHash } from "node:crypto";
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

/** A group to which the directory assigned a user. */
export interface ShownGroup {
  id: Id<"grp">;
  display: string;
}

/** The groups of users in which their directory has them (RFC 7643 section 4.1.2). Users without groups are missing. */
export async function groupsOfUsers(
  ctx: Ctx,
  connection: Connection,
  users: Id<"sub">[],
): Promise<ReadonlyMap<Id<"sub">, ShownGroup[]>> {
  if (users.length === 0) return new Map();
  const rows = await reading(ctx).sql<ShownGroup & { user: Id<"sub"> }>(read, [ctx.orgId, connection.id, users]);
  return Map.groupBy(rows, (row) => row.user);
}

export function groupView({ id: groupId, display }: ShownGroup): Fields {
  const id = publicId("grp", groupId);
  return fields({ value: id, $ref: `${scimBase()}/Groups/${id}`, display, type: "direct" });
}

/** SQL: the groups `m` of a user as they are shown, each with its name in `g`. */
const groupsOf = (user: string) => `
(SELECT group_id, subject_id, added_at FROM group_members WHERE org_id = ${opaque("$1")} AND subject_id = ${user} OFFSET 0) m
CROSS JOIN LATERAL (
  SELECT display_name FROM scim_groups WHERE org_id = ${opaque("$1")} AND group_id = m.group_id AND connector_id = $2 AND hidden_at IS NULL OFFSET 0
) g
WHERE ${isShown}`;

const read = `
SELECT m.subject_id AS user, m.group_id AS id, g.display_name AS display
FROM unnest($3::uuid[]) AS given (id) CROSS JOIN LATERAL ${groupsOf("given.id")}
ORDER BY m.group_id`;

const digestLength = 16;

/** A digest of everything that an answer shows of a user's groups. */
export const digestOf = (groups: ShownGroup[]): string =>
  createHash("sha256")
    .update(groups.map(({ id, display }) => `${id} ${display}`).join("\n"))
    .digest("hex")
    .slice(0, digestLength);

/** SQL: digestOf the groups of a user; NULL for a user without groups. */
export const groupsDigest = (user: string) => `
SELECT left(encode(sha256(convert_to(string_agg(m.group_id::text || ' ' || g.display_name, E'\\n' ORDER BY m.group_id), 'UTF8')), 'hex'), ${digestLength})
FROM ${groupsOf(user)}`;

/**
 * A condition on the groups of `scim_users`; null for another attribute.
 *
 * @throws ScimError invalidFilter for unsupported comparisons of groups
 */
export function groupsSql(name: string, op: Comparison | "pr", value: Value, parameter: Parameter): string | null {
  if (name !== "groups" && !name.startsWith("groups.")) return null;
  if ((name !== "groups" && name !== "groups.value") || (op !== "eq" && op !== "pr"))
    throw badRequest("invalidFilter", "Groups of a user are compared by their value: by eq, ne or pr.");
  const id = op === "eq" ? readId("grp", String(value)) : null;
  const which = id === null ? "" : `AND m.group_id = ${parameter(typeof id === "string" ? uuidOf(id) : null)}::uuid`;
  const whose = `SELECT m.subject_id FROM group_members m WHERE m.org_id = $1 ${which} AND ${isShown}
    AND m.group_id IN (SELECT group_id FROM scim_groups WHERE org_id = $1 AND connector_id = $2 AND hidden_at IS NULL)`;
  // Evaluated once, not for each user.
  return `subject_id = ANY(ARRAY(${whose}))`;
}
