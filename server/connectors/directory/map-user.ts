import { columnsOf, columnsOfSource, fieldsOf, type FieldName } from "../map-row";
import type { Mapping, MappingSource } from "../mapping";
import { rowReader, type FeedRow } from "../run/read-row";
import type { UpsertInput } from "@/server/subjects/input";
import { badRequest } from "@/server/scim/protocol/error";
import { elementMatches } from "@/server/scim/protocol/evaluate";
import { readPath, type Target } from "@/server/scim/protocol/path";
import { userSchema } from "@/server/scim/protocol/schemas";
import { isFields, ownValue, textOfScalar, type Fields, type Json } from "@/server/scim/protocol/values";
import { fold } from "./fold";

export interface MappedBefore extends MappedUser {
  /** Fields that the directory wrote and that the present mapping cannot read. */
  unread: ReadonlySet<FieldName>;
}

/** A person of a directory in the format of an upsert. */
export interface MappedUser {
  /** The externalId, else the userName: the key under which the connection knows the person. */
  key: string;
  fields: Omit<UpsertInput, "externalId">;
  /** Whether the e-mail address is left out because it is invalid. */
  hasBadEmail?: boolean;
}

/**
 * Maps a resource by the connection's mapping, as a row of a file is mapped, with SCIM paths instead of columns. A
 * value that the mapping cannot read is refused, with three exceptions in which the field is left unchanged
 * (docs/decisions/431, 526): `before` has the same value, so that only the mapping has changed; the request deactivates
 * the person, which must succeed; or the value is an invalid e-mail address, because a directory would otherwise not
 * create the person at all.
 *
 * @param before the resource that the directory wrote last; null for a user who is new to the connection
 * @throws ScimError invalidValue
 */
export function mapUser(mapping: Mapping, resource: Fields, before: Fields | null = null): MappedUser {
  const row = readRow(mapping, resource);
  if (row.errors.length === 0) return mappedOf(row);
  const unread = unreadable(mapping, resource);
  const deactivates =
    before &&
    statusOf(mapping, resource) === "inactive" &&
    statusOf(mapping, before) !== "inactive" &&
    !unread.has("status");
  const isLeft = (field: FieldName) =>
    field === "email" || (before && (deactivates || isSame(sourceOf(mapping, field), before, resource)));
  const left = new Set([...unread].filter((field) => field !== "externalId" && isLeft(field)));
  return { ...mappedOf(readRow(without(mapping, left), resource)), hasBadEmail: left.has("email") };
}

/** The key of a person: the externalId, else the userName (requireScimMapping). @throws ScimError invalidValue */
export function keyOf(resource: Fields): string {
  const cell = cellOf(resource, "externalId");
  // Most keys are plain and need neither a check nor normalising, which take as long as half of a row.
  return plainKey.test(cell) ? cell : mappedOf(readRow({ externalId: "externalId" }, resource)).key;
}

const plainKey = /^[\x21-\x7e]{1,255}$/;

/**
 * Maps the resource that the directory wrote last by the present mapping. Nothing is refused, because the resource was
 * accepted before.
 */
export function mapBefore(mapping: Mapping, before: Fields): MappedBefore {
  const row = readRow(mapping, before);
  if (row.errors.length === 0) return { ...mappedOf(row), unread: new Set() };
  const unread = unreadable(mapping, before);
  return { ...mappedOf(readRow(without(mapping, unread), before)), unread };
}

/** @throws ScimError invalidValue for the first value that cannot be read */
function mappedOf({ key, input, errors }: FeedRow): MappedUser {
  const [error] = errors;
  if (error) throw badRequest("invalidValue", `${error.column ?? "The user"}: ${error.message}`);
  const { externalId: _, ...fields } = input!;
  return { key: key!, fields };
}

function readRow(mapping: Mapping, resource: Fields): FeedRow {
  const paths = columnsOf(mapping);
  return rowReader(mapping, paths)({ line: 0, cells: paths.map((path) => cellOf(resource, path)) });
}

/**
 * Returns the fields of a resource that the mapping cannot read. Each field is read separately, so call it only after
 * an error.
 */
function unreadable(mapping: Mapping, resource: Fields): Set<FieldName> {
  const all = fieldsOf(mapping).map(([field]) => field);
  return new Set(all.filter((field) => readRow(onlyOf(mapping, field), resource).errors.length > 0));
}

const statusOf = (mapping: Mapping, resource: Fields) =>
  mapping.status && readRow(onlyOf(mapping, "status"), resource).input?.status;

const sourceOf = (mapping: Mapping, field: FieldName) => fieldsOf(mapping).filter(([name]) => name === field);

/** The mapping of one field and of the externalId, without which no row can be read. */
const onlyOf = (mapping: Mapping, field: FieldName): Mapping =>
  without(mapping, new Set(fieldsOf(mapping).flatMap(([name]) => (name === field ? [] : [name]))));

function without({ externalId, attributes, ...top }: Mapping, fields: ReadonlySet<FieldName>): Mapping {
  return {
    externalId,
    ...Object.fromEntries(Object.entries(top).filter(([name]) => !fields.has(name))),
    ...(attributes && {
      attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => !fields.has(`attributes.${name}`))),
    }),
  };
}

/** Whether two resources have the same value at the source of a field. */
const isSame = (field: [FieldName, MappingSource][], one: Fields, other: Fields) =>
  field.every(([, from]) => columnsOfSource(from).every((path) => cellOf(one, path) === cellOf(other, path)));

/** The SCIM attributes that are the source of a field, each as `urn:name` in lower case. */
export function attributesOf(mapping: Mapping, field: FieldName): string[] {
  return sourceOf(mapping, field).flatMap(([, from]) =>
    columnsOfSource(from).flatMap((path) => {
      if (path === "externalId") return [":externalid", ":username"];
      if (path === "displayName") return [":displayname", ":name"];
      return [attributeName(readPath(userSchema, path))];
    }),
  );
}

/** The attribute in a path, as `urn:name` in lower case. An extension as a whole has no name. */
export const attributeName = ({ urn, name }: Target): string => `${urn ?? ""}:${name ?? ""}`.toLowerCase();

/**
 * The value at a path as a cell. From a list, takes the primary value, else the one for work, else the first. Values
 * without that part do not count: a directory may send an empty work address beside another one.
 */
function cellOf(resource: Fields, path: string): string {
  // A userName has no case (RFC 7643 section 4.1.1): one person has one key, however connections write it.
  if (path === "externalId") return textOf(resource["externalId"]) || fold(textOf(resource["userName"]));
  if (path === "displayName") return textOf(resource["displayName"]) || nameOf(resource["name"]);
  const { urn, name, filter, sub, attribute } = readPath(userSchema, path);
  const holder = urn === null ? resource : ownValue(resource, urn);
  const value = isFields(holder) && name !== null ? ownValue(holder, name) : undefined;
  if (!Array.isArray(value)) return textOf(sub === null || !isFields(value) ? value : ownValue(value, sub));
  const partOf = (each: Json) => textOf(isFields(each) ? ownValue(each, sub ?? "value") : each);
  const all = value.filter((each) => partOf(each) !== "");
  const chosen = filter
    ? all.find((each) => elementMatches(filter, attribute, each))
    : (all.find((each) => isFields(each) && each["primary"] === true) ??
      all.find((each) => isFields(each) && each["type"] === "work") ??
      all[0]);
  return chosen === undefined ? "" : partOf(chosen);
}

function textOf(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(textOf).join(",");
  return isFields(value) ? textOf(ownValue(value, "value")) : textOfScalar(value);
}

/** The name of a user without a displayName: name.formatted, else the given and the family name. */
function nameOf(name: Json | undefined): string {
  if (!isFields(name)) return "";
  const parts = [name["givenName"], name["familyName"]].map(textOf).filter((part) => part !== "");
  return textOf(name["formatted"]) || parts.join(" ");
}
