import type { UpsertInput } from "@/server/subjects/input";
import { columnsOfSource, fieldsOf, type FieldName } from "../map-row";
import type { Mapping } from "../mapping";

/** Values that are removed at once from so many people on, and from nine of ten, wait for a person (decision 493). */
const lostFrom = 5;
const lostForEachLeft = 9;

/** How many rows fill each field, of the rows that were read. Stored with the run while it is staged. */
export interface Filled {
  rows: number;
  by: Record<FieldName, number>;
}

/** A field that a file empties for people who have a value there. */
export interface EmptiedField {
  name: FieldName;
  /** Rows that fill it. */
  filled: number;
  /** People who would lose their value. */
  emptied: number;
}

/** The fields that an empty cell empties: a status stays as it was, and an id is never empty. */
export const emptiableFields = (mapping: Mapping): FieldName[] =>
  fieldsOf(mapping).flatMap(([name, from]) =>
    name === "externalId" || name === "status" || columnsOfSource(from).length === 0 ? [] : [name],
  );

/** Counts a row that is not rejected. */
export function countFilled(filled: Filled, fields: readonly FieldName[], input: UpsertInput): void {
  filled.rows++;
  for (const name of fields) if (isFilled(input, name)) filled.by[name] = (filled.by[name] ?? 0) + 1;
}

function isFilled(input: UpsertInput, name: FieldName): boolean {
  const value =
    name === "displayName" || name === "email" ? input[name] : input.attributes?.[name.slice("attributes.".length)];
  return value !== undefined && value !== null && value !== "";
}

/** The fields that so few rows fill that values may be lost. Of most files, none. */
export const sparseFields = (filled: Filled, fields: readonly FieldName[]): Omit<EmptiedField, "emptied">[] =>
  fields
    .map((name) => ({ name, filled: filled.by[name] ?? 0 }))
    .filter(({ filled: n }) => isLoss({ filled: n, emptied: filled.rows - n }));

export const isLoss = ({ filled, emptied }: Omit<EmptiedField, "name">): boolean =>
  emptied >= lostFrom && emptied >= lostForEachLeft * filled;
