import type { Ctx } from "@/server/core/context";
import type { Connection } from "../connection";
import { asksFor, project, type Projection } from "../protocol/project";
import { userSchema, userUrn } from "../protocol/schemas";
import { isUrn, type Fields } from "../protocol/values";
import { scimBase } from "../scim-base";
import { digestOf, groupsDigest, groupsOfUsers, groupView, type ShownGroup } from "./groups";
import { userId, type UserRow } from "./row";

/** The answer of an operation on one resource. */
export interface Resource {
  id: string;
  /** The body: the resource in the format of SCIM. */
  body: Record<string, unknown>;
  /** The ETag. */
  tag: string;
  location: string;
}

export const versionTag = (version: number) => `W/"${version}"`;
/** SQL: the versionTag of a row. */
export const versionSql = `('W/"' || version || '"')`;
/** SQL: the ETag of a row of `scim_users` (tagOf). */
export const userTagSql = `('W/"' || version || coalesce('.' || (${groupsDigest("scim_users.subject_id")}), '') || '"')`;

/**
 * The ETag of a user: the version that the directory wrote, and a digest of the groups, which change without the user
 * (docs/decisions/469). If-Match compares the part before the dot alone (requireMatch): a PATCH or PUT of a user cannot
 * overwrite groups.
 */
const tagOf = ({ version }: UserRow, groups: ShownGroup[]): string =>
  groups.length === 0 ? versionTag(version) : `W/"${version}.${digestOf(groups)}"`;

/** Users of a list as they are answered: as the provider wrote them. Their groups are read where the answer depends on them. */
export async function userViews(
  ctx: Ctx,
  connection: Connection,
  rows: UserRow[],
  projection: Projection,
): Promise<Resource[]> {
  const dependsOnGroups = asksFor(projection, "groups") || asksFor(projection, "meta");
  const groups = dependsOnGroups
    ? await groupsOfUsers(
        ctx,
        connection,
        rows.map((row) => row.subject_id),
      )
    : null;
  return rows.map((row) => userView(row, groups?.get(row.subject_id) ?? [], projection));
}

/**
 * One user in the form of answers, with its ETag.
 *
 * @param hasGroups false if the user is certainly in no group
 */
export async function userResource(
  ctx: Ctx,
  connection: Connection,
  row: UserRow,
  projection: Projection,
  hasGroups = true,
): Promise<Resource> {
  const groups = hasGroups ? await groupsOfUsers(ctx, connection, [row.subject_id]) : null;
  return userView(row, groups?.get(row.subject_id) ?? [], projection);
}

function userView(row: UserRow, groups: ShownGroup[], projection: Projection): Resource {
  const id = userId(row);
  const location = `${scimBase()}/Users/${id}`;
  const tag = tagOf(row, groups);
  const urns = Object.keys(row.resource).filter(isUrn);
  const whole: Fields = {
    schemas: [userUrn, ...urns],
    id,
    ...row.resource,
    ...(groups.length > 0 && { groups: groups.map(groupView) }),
    meta: {
      resourceType: "User",
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location,
      version: tag,
    },
  };
  return { id, body: project(userSchema, whole, projection), tag, location };
}
