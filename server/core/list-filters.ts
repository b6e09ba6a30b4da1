import { z } from "zod";
import { changeHorizon, isSettled } from "./change-horizon";
import { createdBounds, type CreatedBounds } from "./created-bounds";
import { readId, type Id, type IdPrefix } from "./ids";
import { timestamp } from "./input";

const separated = "separated by commas";

const parts = (text: string) => [...new Set(text.split(",").map((part) => part.trim()))];

const wrongOf = (values: readonly string[], some: readonly string[]) => some.find((part) => !values.includes(part));

/** A filter by values of an enumeration: one, or several separated by commas. */
export const severalOf = <V extends string>(values: readonly V[]) =>
  z
    .string()
    .transform(parts)
    .refine((some) => wrongOf(values, some) === undefined, {
      error: ({ input }) =>
        `must be one of ${values.join(", ")}, or several ${separated}; ${JSON.stringify(wrongOf(values, input as string[])?.slice(0, 60))} is none of them`,
    })
    .transform((some) => some as V[])
    .meta({ override: { type: "string" }, description: `${values.join(", ")}; several ${separated}.` });

const ofPolling = (field: string) =>
  `To poll, send the largest ${field} seen so far: a row is told once none with an earlier ${field} can still be committed, so that none is missed. GET /v1/events?after= tells each change by itself.`;

/**
 * Filters by the times of creation and change, for lists that are polled. `isSettled` (change-horizon.ts) withholds
 * rows that are too new.
 */
export const changeTimes = {
  createdAfter: timestamp.optional().meta({ description: ofPolling("createdAt") }),
  createdBefore: timestamp.optional(),
  updatedAfter: timestamp
    .optional()
    .meta({ description: `Sorted by updatedAt unless sort says otherwise. ${ofPolling("updatedAt")}` }),
  updatedBefore: timestamp.optional().meta({ description: "Sorted by updatedAt unless sort says otherwise." }),
};

interface ChangeTimes {
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  updatedAfter?: Date | undefined;
  updatedBefore?: Date | undefined;
  /** From changeHorizon, if the list is polled. */
  horizon?: Date | undefined;
  /** From createdBounds. */
  bounds?: CreatedBounds;
}

/** The fields that `withTimeBounds` adds to a filter. */
export interface TimeBounds {
  horizon?: Date;
  bounds?: CreatedBounds;
}

/**
 * Adds to the filter of a list the horizon, if it polls for new rows, and the range of ids, if it filters by
 * created_at. Call it before reading the rows: see changeHorizon.
 */
export async function withTimeBounds<F extends ChangeTimes>(
  orgId: Id<"org">,
  table: "subjects" | "credentials",
  filter: F,
): Promise<F & TimeBounds> {
  const horizon = (filter.createdAfter ?? filter.updatedAfter) && (await changeHorizon(orgId));
  return { ...filter, ...(horizon && { horizon }), bounds: await createdBounds(orgId, table, filter) };
}

/** SQL: the conditions of changeTimes. */
export function changedWithin(alias: string, filter: ChangeTimes, parameter: Parameter): string[] {
  const { updatedAfter, updatedBefore, createdAfter, horizon } = filter;
  return [
    ...createdWithin(alias, filter, parameter),
    ...(updatedAfter ? [`${alias}updated_at > ${parameter(updatedAfter)}::timestamptz`] : []),
    ...(updatedBefore ? [`${alias}updated_at < ${parameter(updatedBefore)}::timestamptz`] : []),
    ...(horizon
      ? [isSettled(`${alias}${createdAfter && !updatedAfter ? "created_at" : "updated_at"}`, parameter(horizon))]
      : []),
  ];
}

const maxIds = 100;

/** A filter by ids: one, or several separated by commas. */
export const severalIdTexts = z
  .string()
  .max(maxIds * 65)
  .transform(parts)
  .refine(
    (some) => !some.includes(""),
    "must not be empty, or hold an empty value between commas; leave it out to ask for all",
  )
  .refine((some) => some.length <= maxIds, { error: `must have at most ${maxIds} ids`, params: { code: "too_big" } })
  .meta({ override: { type: "string" }, description: `An id; several ${separated}.` });

/** A filter by ids of one resource. A text that is not such an id matches no row. */
export const severalIds = <P extends IdPrefix>(prefix: P) =>
  severalIdTexts
    .transform((some) => some.map((given) => readId(prefix, given)))
    .meta({ override: { type: "string" }, description: `An id; several ${separated}.` });

/** Adds a value to a statement and returns its placeholder for the text. */
export type Parameter = (value: unknown) => string;

/** SQL: whether a column has one of the values. A single value uses `=`, so that an index also gives the sort order. */
export function isAmong(
  column: string,
  type: "text" | "uuid",
  values: readonly (string | Id)[],
  parameter: Parameter,
): string {
  return values.length === 1
    ? `${column} = ${parameter(values[0])}`
    : `${column} = ANY(${parameter(values)}::${type}[])`;
}

/** SQL: the conditions for rows created after or before an instant. */
export function createdWithin(
  alias: string,
  { createdAfter, createdBefore, bounds }: ChangeTimes,
  parameter: Parameter,
): string[] {
  return [
    ...(createdAfter ? [`${alias}created_at > ${parameter(createdAfter)}::timestamptz`] : []),
    ...(createdBefore ? [`${alias}created_at < ${parameter(createdBefore)}::timestamptz`] : []),
    ...(bounds?.firstId ? [`${alias}id >= ${parameter(bounds.firstId)}::uuid`] : []),
    ...(bounds?.lastId ? [`${alias}id <= ${parameter(bounds.lastId)}::uuid`] : []),
  ];
}
