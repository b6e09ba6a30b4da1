import { invalidInput } from "@/server/core/input";
import { jsonPointer } from "@/server/core/json-pointer";
import { readPath } from "@/server/scim/protocol/path";
import { enterpriseUrn, userSchema } from "@/server/scim/protocol/schemas";
import { ScimError } from "@/server/scim/protocol/error";
import { columnsOf } from "./map-row";
import type { Mapping } from "./mapping";

/** What a SCIM connection maps unless it says otherwise: paths of SCIM take the place of columns. */
export const usualScimMapping: Mapping = {
  externalId: "externalId",
  displayName: "displayName",
  email: "emails",
  status: { from: "active", transform: "trim", values: { true: "active", false: "inactive" } },
  attributes: {
    userName: "userName",
    givenName: "name.givenName",
    familyName: "name.familyName",
    title: "title",
    userType: "userType",
    employeeNumber: `${enterpriseUrn}:employeeNumber`,
    department: `${enterpriseUrn}:department`,
    division: `${enterpriseUrn}:division`,
    organization: `${enterpriseUrn}:organization`,
    costCenter: `${enterpriseUrn}:costCenter`,
  },
};

/** Refuses a mapping of a SCIM connection whose paths are none, or that passes over who is deactivated. @throws DomainError invalid_request */
export function requireScimMapping(mapping: Mapping): void {
  const wrong = columnsOf(mapping).find((path) => !isReadable(path));
  if (wrong !== undefined)
    throw invalidInput([
      {
        pointer: jsonPointer(["mapping"]),
        code: "invalid_value",
        message: `names ${JSON.stringify(wrong)}, which is no attribute of a SCIM user. Write it as in GET /scim/v2/Schemas, such as name.givenName`,
      },
    ]);
  if (mapping.externalId !== "externalId")
    throw invalidInput([
      {
        pointer: jsonPointer(["mapping", "externalId"]),
        code: "invalid_value",
        message: "must be externalId: a person without one is known by userName",
      },
    ]);
  if (!mapping.status)
    throw invalidInput([
      {
        pointer: jsonPointer(["mapping", "status"]),
        code: "invalid_type",
        message:
          'is required: without it, whom the directory deactivates would stay active. The usual one is {"from": "active", "transform": "trim", "values": {"true": "active", "false": "inactive"}}',
      },
    ]);
}

/** Refuses lists of a SCIM connection that a user cannot have. @throws DomainError invalid_request */
export function requireScimLists(paths: readonly string[] = []): void {
  paths.forEach((path, n) => {
    if (isList(path)) return;
    throw invalidInput([
      {
        pointer: jsonPointer(["settings", "replaceOnAdd", n]),
        code: "invalid_value",
        message: `names ${JSON.stringify(path)}, which is no list of a SCIM user. Write it as the directory does, such as roles or urn:ietf:params:scim:schemas:extension:custom:2.0:User:tags`,
      },
    ]);
  });
}

/** Whether a path names a list: of an extension that nobody described, any attribute may be one. */
function isList(path: string): boolean {
  if (!isReadable(path)) return false;
  const { attribute, attributes, filter, sub } = readPath(userSchema, path);
  return filter === null && sub === null && (attributes === null || attribute!.multiValued);
}

function isReadable(path: string): boolean {
  try {
    const { attribute, attributes, sub, name } = readPath(userSchema, path);
    if (attributes === null) return name !== null;
    return attribute !== null && (sub === null || attribute.subAttributes.some((each) => each.name === sub));
  } catch (error) {
    if (error instanceof ScimError) return false;
    throw error;
  }
}
