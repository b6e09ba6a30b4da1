import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import type { Connection } from "../connection";
import { fields, type Fields } from "../protocol/values";
import { scimBase } from "../scim-base";
import { isShown } from "./shown";

interface MemberRow {
  group_id: Id<"grp">;
  /** Null for a member whom the directory has not created yet. */
  subject_id: Id<"sub"> | null;
  /** The value of a member whom the directory has not created yet; null for every other. */
  value: string | null;
  display: string | null;
}

/**
 * The members of groups as the provider wrote them, including users whom it has not created yet. Their names are the
 * provider's too: if a name that is changed here were shown, the group would change without its ETag.
 */
export async function membersOf(
  ctx: Ctx,
  connection: Connection,
  groups: Id<"grp">[],
): Promise<ReadonlyMap<Id<"grp">, Fields[]>> {
  const members = new Map(groups.map((id): [Id<"grp">, Fields[]] => [id, []]));
  if (groups.length === 0) return members;
  const rows = await reading(ctx).sql<MemberRow>(read, [ctx.orgId, connection.id, groups]);
  // Somebody here may have activated a deleted user whom the directory named again: the person is listed once.
  const shown = new Set(
    rows.flatMap((row) => (row.subject_id === null ? [] : [`${row.group_id} ${publicId("sub", row.subject_id)}`])),
  );
  for (const row of rows)
    if (row.value === null || !shown.has(`${row.group_id} ${row.value}`))
      members.get(row.group_id)!.push(memberView(row));
  return members;
}

function memberView({ subject_id, value, display }: MemberRow): Fields {
  if (subject_id === null) return fields({ value });
  const id = publicId("sub", subject_id);
  return fields({ value: id, $ref: `${scimBase()}/Users/${id}`, ...(display && { display }), type: "User" });
}

/** SQL: the name of a user as the provider wrote it: displayName, else name.formatted, else given and family name. */
const writtenName = `coalesce(nullif(resource ->> 'displayName', ''), nullif(resource -> 'name' ->> 'formatted', ''),
  concat_ws(' ', nullif(resource -> 'name' ->> 'givenName', ''), nullif(resource -> 'name' ->> 'familyName', '')))`;

const read = `
SELECT m.group_id, m.subject_id, NULL AS value, u.display
FROM unnest($3::uuid[]) AS given (id)
CROSS JOIN LATERAL (SELECT group_id, subject_id, added_at FROM group_members WHERE org_id = ${opaque("$1")} AND group_id = given.id OFFSET 0) m
LEFT JOIN LATERAL (
  SELECT ${writtenName} AS display FROM scim_users WHERE org_id = ${opaque("$1")} AND connector_id = ${opaque("$2")} AND subject_id = m.subject_id OFFSET 0
) u ON true
WHERE ${isShown}
UNION ALL
SELECT awaited.group_id, NULL, awaited.value, NULL
FROM unnest($3::uuid[]) AS given (id)
CROSS JOIN LATERAL (SELECT group_id, value FROM scim_pending_members WHERE org_id = ${opaque("$1")} AND group_id = given.id AND leaving_since IS NULL OFFSET 0) awaited
ORDER BY subject_id, value`;
