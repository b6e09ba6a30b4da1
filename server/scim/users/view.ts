import type { Ctx } from "@/server/core/context";
import type { Connection } from "../connection";
import { asksFor, project, type Projection } from "../protocol/project";
import { userSchema, userUrn } from "../protocol/schemas";
import type { Fields } from "../protocol/values";
import { scimBase } from "../scim-base";
import { groupsOfUsers } from "./groups";
import { userId, type UserRow } from "./row";

/** What an operation on one resource answers. */
export interface Resource {
  id: string;
  /** The body: the resource as SCIM has it. */
  body: Record<string, unknown>;
  /** Counts the changes: the ETag. */
  version: number;
  location: string;
}

export const versionTag = (version: number) => `W/"${version}"`;
/** SQL: the versionTag of a row. */
export const versionSql = `('W/"' || version || '"')`;

/**
 * Users as they are answered: as the provider wrote them. Their groups are read where the answer has them.
 * @param haveGroups false where these users are in no group for certain
 */
export async function userViews(
  ctx: Ctx,
  connection: Connection,
  rows: UserRow[],
  projection: Projection,
  haveGroups = true,
): Promise<Resource[]> {
  const groups =
    haveGroups && asksFor(projection, "groups")
      ? await groupsOfUsers(
          ctx,
          connection,
          rows.map((row) => row.subject_id),
        )
      : null;
  return rows.map((row) => userView(row, (groups && groups.get(row.subject_id)) || [], projection));
}

function userView(row: UserRow, groups: Fields[], projection: Projection): Resource {
  const id = userId(row);
  const location = `${scimBase()}/Users/${id}`;
  const urns = Object.keys(row.resource).filter((name) => name.startsWith("urn:"));
  const whole: Fields = {
    schemas: [userUrn, ...urns],
    id,
    ...row.resource,
    ...(groups.length > 0 && { groups }),
    meta: {
      resourceType: "User",
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location,
      version: versionTag(row.version),
    },
  };
  return { id, body: project(userSchema, whole, projection), version: row.version, location };
}
