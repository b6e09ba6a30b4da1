import { env } from "@/server/core/env";
import { project, type Projection } from "../protocol/project";
import { userSchema, userUrn } from "../protocol/schemas";
import type { Fields } from "../protocol/values";
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

export const scimBase = () => `${env().PUBLIC_URL}/scim/v2`;

/** A user as it is answered: as the provider wrote it. */
export function userView(row: UserRow, projection: Projection): Resource {
  const id = userId(row);
  const location = `${scimBase()}/Users/${id}`;
  const urns = Object.keys(row.resource).filter((name) => name.startsWith("urn:"));
  const whole: Fields = {
    schemas: [userUrn, ...urns],
    id,
    ...row.resource,
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
