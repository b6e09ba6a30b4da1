import { fieldsOf } from "@/server/connectors/map-row";
import type { Mapping, MappingSource } from "@/server/connectors/mapping";

/** A line of the form: an attribute of the directory, and the field of a person that it fills. */
export interface MappingLine {
  /** The attribute as SCIM names it, such as name.givenName; empty if the field is not filled. */
  from: string;
  /** The name of the value in this service: displayName, email or attributes.… */
  field: string;
}

/** The fields that every directory can fill. */
const always = ["displayName", "email"];

/** Whether the form can show the source of a field: an attribute that is used unchanged. */
const isPlain = (from: MappingSource | undefined): boolean => from === undefined || typeof from === "string";

/** The lines of a mapping. Translated fields, such as the status, have none. */
export function linesOf(mapping: Mapping): MappingLine[] {
  const own = new Map<string, MappingSource>(fieldsOf(mapping));
  // The database keeps them in an order that nobody recognises.
  const attributes = [...own.keys()].filter((field) => field.startsWith("attributes.")).toSorted();
  return [...always, ...attributes].flatMap((field) => {
    const from = own.get(field);
    return isPlain(from) ? [{ field, from: (from as string | undefined) ?? "" }] : [];
  });
}

/**
 * Builds the mapping that the lines describe. Fields without a line stay unchanged. A line without an attribute of the
 * directory, or without a name, fills nothing.
 */
export function mappingOfLines(before: Mapping, lines: MappingLine[]): Mapping {
  const { displayName, email, attributes = {}, ...rest } = before;
  const kept = Object.entries(attributes).filter(([, from]) => !isPlain(from));
  const filled = lines
    .map(({ field, from }) => [field, from.trim()] as const)
    .filter(([field, from]) => from !== "" && nameOf(field) !== "");
  return {
    ...rest,
    ...(!isPlain(displayName) && { displayName }),
    ...(!isPlain(email) && { email }),
    ...Object.fromEntries(filled.filter(([field]) => always.includes(field))),
    attributes: Object.fromEntries([
      ...kept,
      ...filled.filter(([field]) => !always.includes(field)).map(([field, from]) => [nameOf(field), from]),
    ]),
  };
}

export const nameOf = (field: string): string => field.replace(/^attributes\./, "").trim();

/** Returns the first name that several lines have; null if all names differ. */
export function nameOfTwo(lines: MappingLine[]): string | null {
  const names = lines.filter(({ from }) => from.trim() !== "").map(({ field }) => nameOf(field));
  return names.find((name, n) => name !== "" && names.indexOf(name) !== n) ?? null;
}
