import { invalidInput } from "@/server/core/input";
import { jsonPointer } from "@/server/core/json-pointer";
import { readPath } from "@/server/scim/protocol/path";
import { enterpriseUrn, userSchema } from "@/server/scim/protocol/schemas";
import { ScimError } from "@/server/scim/protocol/error";
import { columnsOf } from "./map-row";
import type { Mapping, MappingSource } from "./mapping";

/** The default mapping of a SCIM connection. SCIM attribute paths take the place of columns. */
export const defaultScimMapping: Mapping = {
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

/**
 * Checks the mapping of a SCIM connection: its paths must be SCIM attributes, and it must map the status, so that
 * deactivations in the directory are not lost.
 * @throws DomainError invalid_request
 */
export function requireScimMapping(mapping: Mapping): void {
  const wrong = columnsOf(mapping).find((path) => !isReadable(path));
  if (wrong !== undefined)
    throw invalidInput([
      {
        pointer: jsonPointer(["mapping"]),
        code: "invalid_value",
        message: `names ${JSON.stringify(wrong)}, which is not an attribute of a SCIM user. Write it as in GET /scim/v2/Schemas, such as name.givenName`,
      },
    ]);
  if (mapping.externalId !== "externalId")
    throw invalidInput([
      {
        pointer: jsonPointer(["mapping", "externalId"]),
        code: "invalid_value",
        message: "must be externalId. People without an externalId are identified by userName",
      },
    ]);
  const { status } = mapping;
  if (!status)
    throw invalidStatus(
      "invalid_type",
      "is required, because people whom the directory deactivates would otherwise stay active",
    );
  if (columnsOf({ externalId: status }).some(isActive) && !translatesActive(status))
    throw invalidStatus(
      "invalid_value",
      "must translate both values of active in SCIM: true to active and false to inactive",
    );
}

/** Whether a path names the attribute active, with or without the URN of the schema, in upper or lower case. */
function isActive(path: string): boolean {
  const { urn, name } = readPath(userSchema, path);
  return urn === null && name === "active";
}

function translatesActive(status: MappingSource): boolean {
  if (typeof status === "string" || !("values" in status)) return false;
  return status.values?.["true"] === "active" && status.values["false"] === "inactive";
}

const invalidStatus = (code: "invalid_type" | "invalid_value", message: string) =>
  invalidInput([
    {
      pointer: jsonPointer(["mapping", "status"]),
      code,
      message: `${message}. The default is ${JSON.stringify(defaultScimMapping.status)}`,
    },
  ]);

/** Refuses paths that are not multi-valued attributes of a SCIM user. @throws DomainError invalid_request */
export function requireScimLists(paths: readonly string[] = []): void {
  paths.forEach((path, n) => {
    if (isList(path)) return;
    throw invalidInput([
      {
        pointer: jsonPointer(["settings", "replaceOnAdd", n]),
        code: "invalid_value",
        message: `names ${JSON.stringify(path)}, which is not a multi-valued attribute of a SCIM user. Write it as the directory does, such as roles or urn:ietf:params:scim:schemas:extension:custom:2.0:User:tags`,
      },
    ]);
  });
}

/** Whether a path can name a multi-valued attribute. Attributes of unknown extensions always can. */
function isList(path: string): boolean {
  if (!isReadable(path)) return false;
  const { attribute, attributes, filter, sub } = readPath(userSchema, path);
  return filter === null && sub === null && (attributes === null || attribute!.multiValued);
}

/** Whether a path names a part of the stored resource: an attribute that a directory writes. */
function isReadable(path: string): boolean {
  try {
    const { attribute, attributes, sub, name } = readPath(userSchema, path);
    if (attributes === null) return name !== null;
    // The others are never stored as the directory sent them.
    if (attribute?.mutability !== "readWrite") return false;
    return sub === null || attribute.subAttributes.some((each) => each.name === sub);
  } catch (error) {
    if (error instanceof ScimError) return false;
    throw error;
  }
}
