import { isDeepStrictEqual } from "node:util";
import { fieldsOf, type FieldName } from "../map-row";
import type { Mapping } from "../mapping";
import type { UpsertInput } from "@/server/subjects/input";
import type { Change } from "@/server/scim/protocol/patch";
import { attributeName, attributesOf, type MappedBefore, type MappedUser } from "./map-user";

/**
 * The fields that a request states with unchanged values. They are written again if the person's record differs by now
 * (docs/decisions/524).
 */
export type Restates = (field: FieldName) => boolean;

export const everything: Restates = () => true;
export const nothing: Restates = () => false;

/** The fields that the operations of a PATCH name. */
export function namedBy(mapping: Mapping, changes: readonly Change[]): Restates {
  const named = new Set(changes.filter(({ op }) => op !== "remove").map(({ target }) => attributeName(target)));
  return (field) =>
    attributesOf(mapping, field).some(
      (name) => named.has(name) || named.has(`${name.slice(0, name.lastIndexOf(":"))}:`),
    );
}

/** What a request changes of a person. */
export interface Changes {
  /** The upsert: the fields to which the directory gives a value, and the fields of `withdrawn`, emptied. */
  fields: Omit<UpsertInput, "externalId">;
  /** Fields that had a value from the directory before and have none now. */
  withdrawn: FieldName[];
}

/**
 * Returns the fields that an update writes: those whose value the directory changed, and those that it restates. A
 * field that the directory never sent, or sent again unchanged, keeps the value of another source.
 *
 * @param before what the directory sent before; null for a person who is new to the connection
 */
export function changesOf(mapping: Mapping, before: MappedBefore | null, now: MappedUser, restates: Restates): Changes {
  const [was, is] = [valuesOf(mapping, before), valuesOf(mapping, now)];
  const changes: Changes = { fields: {}, withdrawn: [] };
  for (const [field, value] of is) {
    const said = was.get(field);
    const isUnread = before?.unread.has(field) ?? false;
    if (isEmpty(value)) {
      // An unreadable address was skipped earlier, so the person's present address is not the directory's.
      if (field === "status" || (isEmpty(said) && (!isUnread || field === "email"))) continue;
      changes.withdrawn.push(field);
    } else if (isDeepStrictEqual(value, said) && !restates(field)) continue;
    write(changes.fields, field, value);
  }
  return changes;
}

/** Returns the fields for which a person of a directory has a value. */
export const statedIn = (mapping: Mapping, user: MappedUser): FieldName[] =>
  [...valuesOf(mapping, user)].flatMap(([field, value]) => (isEmpty(value) ? [] : [field]));

/** Returns the values of the mapped fields by name. Unreadable fields are missing. */
export function valuesOf(mapping: Mapping, user: MappedUser | null): Map<FieldName, unknown> {
  const { attributes = {}, ...top } = user?.fields ?? {};
  const all = new Map<FieldName, unknown>([
    ...Object.entries(top),
    ...Object.entries(attributes).map(([name, value]): [FieldName, unknown] => [`attributes.${name}`, value]),
  ]);
  return new Map(
    fieldsOf(mapping).flatMap(([field]) => (all.get(field) === undefined ? [] : [[field, all.get(field)]])),
  );
}

/** Puts the value of a field into an upsert. */
export function write(input: Omit<UpsertInput, "externalId">, field: FieldName, value: unknown): void {
  if (field.startsWith("attributes."))
    input.attributes = { ...input.attributes, [field.slice("attributes.".length)]: value };
  else Object.assign(input, { [field]: value });
}

/** Takes a field out of an upsert. */
export function leaveOut(input: Omit<UpsertInput, "externalId">, field: FieldName): void {
  if (field.startsWith("attributes.")) {
    const { [field.slice("attributes.".length)]: _, ...attributes } = input.attributes ?? {};
    input.attributes = attributes;
  } else Reflect.deleteProperty(input, field);
}

export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";
