import type { UpsertInput } from "@/server/subjects/input";
import { columnsOfGroups, columnsOfSource, fieldsOf, type FieldName } from "../map-row";
import type { Mapping } from "../mapping";

/** A file waits for approval if it clears a field for at least this many people and 9 of 10 (decision 493). */
const lostFrom = 5;
const lostForEachLeft = 9;

/** How many of the rows read so far fill each field. Stored with the run during staging. */
export interface Filled {
  rows: number;
  by: Record<FieldName, number>;
}

/** A field that a file clears for people who have a value. */
export interface EmptiedField {
  name: FieldName;
  /** Rows that fill it. */
  filled: number;
  /** People who would lose their value. */
  emptied: number;
}

/** The name under which a person's groups are counted among the fields. */
export const groupsField: FieldName = "groups";

/** The fields that an empty cell clears: all except the status, which stays, and the id, which cannot be empty. */
export const emptiableFields = (mapping: Mapping): FieldName[] => [
  ...fieldsOf(mapping).flatMap(([name, from]) =>
    name === "externalId" || name === "status" || columnsOfSource(from).length === 0 ? [] : [name],
  ),
  ...(mapping.groups ? [groupsField] : []),
];

/** The columns from which a field is read. */
export const columnsOfField = (mapping: Mapping, name: FieldName): string[] =>
  name === groupsField ? columnsOfGroups(mapping) : columnsOfSource(new Map(fieldsOf(mapping)).get(name)!);

/** Counts the filled fields of a row that was not rejected. */
export function countFilled(
  filled: Filled,
  fields: readonly FieldName[],
  input: UpsertInput,
  groups: readonly string[] | null,
): void {
  filled.rows++;
  for (const name of fields)
    if (name === groupsField ? (groups?.length ?? 0) > 0 : isFilled(input, name))
      filled.by[name] = (filled.by[name] ?? 0) + 1;
}

function isFilled(input: UpsertInput, name: FieldName): boolean {
  const value =
    name === "displayName" || name === "email" ? input[name] : input.attributes?.[name.slice("attributes.".length)];
  return value !== undefined && value !== null && value !== "";
}

/** The fields that only a few rows fill, so that values may have been lost. Most files have none. */
export const sparseFields = (filled: Filled, fields: readonly FieldName[]): Omit<EmptiedField, "emptied">[] =>
  fields
    .map((name) => ({ name, filled: filled.by[name] ?? 0 }))
    .filter(({ filled: n }) => isLoss({ filled: n, emptied: filled.rows - n }));

export const isLoss = ({ filled, emptied }: Omit<EmptiedField, "name">): boolean =>
  emptied >= lostFrom && emptied >= lostForEachLeft * filled;
