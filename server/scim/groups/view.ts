import type { Ctx } from "@/server/core/context";
import type { Connection } from "../connection";
import { asksFor, project, type Projection } from "../protocol/project";
import { groupSchema, groupUrn } from "../protocol/schemas";
import { fields, type Fields } from "../protocol/values";
import { scimBase } from "../scim-base";
import { versionTag, type Resource } from "../users/view";
import { membersOf } from "./members";
import { scimGroupId, type ScimGroupRow } from "./row";

/** Converts groups to the form of answers. Members are read if the answer includes them. */
export async function groupViews(
  ctx: Ctx,
  connection: Connection,
  rows: ScimGroupRow[],
  projection: Projection,
): Promise<Resource[]> {
  const withMembers = asksFor(projection, "members");
  const members = withMembers
    ? await membersOf(
        ctx,
        connection,
        rows.map((row) => row.group_id),
      )
    : null;
  return rows.map((row) => groupView(row, members?.get(row.group_id) ?? [], projection));
}

function groupView(row: ScimGroupRow, members: Fields[], projection: Projection): Resource {
  const id = scimGroupId(row);
  const location = `${scimBase()}/Groups/${id}`;
  const tag = versionTag(row.version);
  const whole = fields({
    schemas: [groupUrn],
    id,
    ...writtenOf(row),
    ...(members.length > 0 && { members }),
    meta: {
      resourceType: "Group",
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location,
      version: tag,
    },
  });
  return { id, body: project(groupSchema, whole, projection), tag, location };
}

/** The provider's data of a group, without its members. */
export const writtenOf = ({ display_name, external_id }: ScimGroupRow): Fields =>
  fields({ displayName: display_name, ...(external_id !== null && { externalId: external_id }) });
