import { z } from "zod";
import { earliestId, type IdPrefix } from "./ids";

const separated = "separated by commas";

const parts = (text: string) => [...new Set(text.split(",").map((part) => part.trim()))];

/** A filter by values of an enumeration: one, or several separated by commas. */
export const severalOf = <V extends string>(values: readonly V[]) =>
  z
    .string()
    .transform(parts)
    .refine((some) => some.every((part) => (values as readonly string[]).includes(part)), `must be one of ${values.join(", ")}, or several ${separated}`)
    .transform((some) => some as V[])
    .meta({ override: { type: "string" }, description: `${values.join(", ")}; several ${separated}.` });

const maxIds = 100;

/** A filter by ids: one, or several separated by commas. What has another form than an id is not found. */
export const severalIds = z
  .string()
  .max(maxIds * 65)
  .transform(parts)
  .refine((some) => some.length <= maxIds, `must have at most ${maxIds} ids`)
  .meta({ override: { type: "string" }, description: `An id; several ${separated}.` });

/** Adds a value to a statement and gives its name in the text. */
export type Parameter = (value: unknown) => string;

/** One value is asked for by equality: an index then gives the rows in the order of what follows in it. */
export function isAmong(column: string, values: readonly string[], parameter: Parameter): string {
  return values.length === 1 ? `${column} = ${parameter(values[0])}` : `${column} = ANY(${parameter(values)}::text[])`;
}

/** How much later than an id's time its row may say that it was made: clocks of a server and its database. */
const skewMs = 60_000;

/** Rows made after an instant. Ids sort by time, so the primary key bounds what is looked at. */
export function isCreatedAfter(alias: string, prefix: IdPrefix, at: Date, parameter: Parameter): string {
  return `${alias}id >= ${parameter(earliestId(prefix, new Date(Math.max(0, at.getTime() - skewMs))))} AND ${alias}created_at > ${parameter(at)}::timestamptz`;
}
