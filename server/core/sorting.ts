import { z } from "zod";
import type { Id } from "./ids";
import type { Parameter } from "./list-filters";

/**
 * The fields by which a list can be sorted. `key` is an SQL expression that is never null, the same as in its index;
 * `stored`, if `key` is slow to compute, an expression of the same order that reads a stored column. A field that is
 * null sorts by the id, which is the order of creation.
 */
export type SortFields = Record<string, { key: string; stored?: string; type: "text" | "timestamptz" } | null>;

/** The schema of the parameter `sort`: a field, with "-" before it for descending. */
export const sortBy = (fields: SortFields, about: string) => {
  const names = Object.keys(fields);
  return z
    .enum(
      names.flatMap((name) => [name, `-${name}`]) as [string, ...string[]],
      `must be one of ${names.join(", ")}, or one of them with - before it for descending`,
    )
    .optional()
    .meta({ description: `A field, with - before it for descending. ${about}` });
};

export interface Sorted {
  id: Id;
  sort_key?: string;
}

/** SQL parts for an order of rows without ties, and for a page of it. */
export interface Order {
  /** The expressions for ORDER BY. */
  by: string;
  /** The same order for rows that no index has sorted. */
  byStored: string;
  /** The additional column that the cursor needs. Begins with a comma, or is empty. */
  select: string;
  /** The condition for the rows after the cursor's row. */
  beyond(after: string, parameter: Parameter): string;
  keyOf(row: Sorted): string | Id;
}

/** Makes the SQL parts of an order. @param alias the alias of the table with its dot, which `key` must use too */
export function orderBy(sort: string, fields: SortFields, alias = ""): Order {
  const isDescending = sort.startsWith("-");
  const field = fields[isDescending ? sort.slice(1) : sort]!;
  const [direction, comparison] = isDescending ? ["DESC", "<"] : ["ASC", ">"];
  const id = `${alias}id`;
  if (!field) {
    return {
      by: `${id} ${direction}`,
      byStored: `${id} ${direction}`,
      select: "",
      beyond: (after, parameter) => `${id} ${comparison} ${parameter(after)}::uuid`,
      keyOf: (row) => row.id,
    };
  }
  return {
    by: `${field.key} ${direction}, ${id} ${direction}`,
    byStored: `${field.stored ?? field.key} ${direction}, ${id} ${direction}`,
    select: `, (${field.key})::text AS sort_key`,
    beyond(after, parameter) {
      const [key, lastId] = JSON.parse(after) as [string, string];
      return `(${field.key}, ${id}) ${comparison} (${parameter(key)}::${field.type}, ${parameter(lastId)}::uuid)`;
    },
    keyOf: (row) => JSON.stringify([row.sort_key, row.id]),
  };
}
