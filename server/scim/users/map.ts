import { columnsOf } from "@/server/connectors/map-row";
import type { Mapping } from "@/server/connectors/mapping";
import { rowReader } from "@/server/connectors/run/read-row";
import type { UpsertInput } from "@/server/subjects/input";
import { badRequest } from "../protocol/error";
import { elementMatches } from "../protocol/evaluate";
import { readPath } from "../protocol/path";
import { userSchema } from "../protocol/schemas";
import { isFields, type Fields, type Json } from "../protocol/values";

/** A person of a directory in the terms of an upsert. */
export interface MappedUser {
  /** The externalId, else the userName: the key under which the connection knows the person. */
  key: string;
  fields: Omit<UpsertInput, "externalId">;
}

/**
 * Maps a resource by the connection's mapping, as a row of a file is. Paths take the place of columns.
 * @throws ScimError invalidValue
 */
export function mapUser(mapping: Mapping, resource: Fields): MappedUser {
  const paths = columnsOf(mapping);
  const { key, input, errors } = rowReader(
    mapping,
    paths,
  )({ line: 0, cells: paths.map((path) => cellOf(resource, path)) });
  const [error] = errors;
  if (error) throw badRequest("invalidValue", `${error.column ?? "The user"}: ${error.message}`);
  const { externalId: _, ...fields } = input!;
  return { key: key!, fields };
}

/**
 * What an update writes: what the resource says, and empty what it said before and says no more. What the directory
 * never said of a person whom another source provides too is left as it is.
 */
export function changesOf(before: MappedUser | null, { fields }: MappedUser): Omit<UpsertInput, "externalId"> {
  const { displayName, email, attributes, ...rest } = fields;
  const was = before?.fields;
  return {
    ...rest,
    ...((displayName || was?.displayName) && { displayName: displayName ?? "" }),
    ...((email || was?.email) && { email: email ?? null }),
    ...(attributes && {
      attributes: Object.fromEntries(
        Object.entries(attributes).filter(
          ([name, value]) => value !== null || (was?.attributes?.[name] ?? null) !== null,
        ),
      ),
    }),
  };
}

/** The value of a path as a cell: of a list, that of the primary value, of the one for work, or the first. */
function cellOf(resource: Fields, path: string): string {
  if (path === "externalId") return textOf(resource["externalId"]) || textOf(resource["userName"]);
  if (path === "displayName") return textOf(resource["displayName"]) || nameOf(resource["name"]);
  const { urn, name, filter, sub, attribute } = readPath(userSchema, path);
  const holder = urn === null ? resource : resource[urn];
  const value = isFields(holder) && name !== null ? holder[name] : undefined;
  if (!Array.isArray(value)) return textOf(sub === null || !isFields(value) ? value : value[sub]);
  const chosen = filter
    ? value.find((each) => elementMatches(filter, attribute, each))
    : (value.find((each) => isFields(each) && each["primary"] === true) ??
      value.find((each) => isFields(each) && each["type"] === "work") ??
      value[0]);
  return textOf(isFields(chosen) ? chosen[sub ?? "value"] : chosen);
}

const textOf = (value: Json | undefined): string =>
  value === undefined || value === null ? "" : isFields(value) ? textOf(value["value"]) : String(value);

/** The name of somebody without a displayName: in whole, or of its parts. */
function nameOf(name: Json | undefined): string {
  if (!isFields(name)) return "";
  const parts = [name["givenName"], name["familyName"]].map(textOf).filter((part) => part !== "");
  return textOf(name["formatted"]) || parts.join(" ");
}
