import { z } from "zod";
import type { Id } from "./ids";
import type { Parameter } from "./list-filters";

/**
 * What a list can be sorted by: an SQL expression that is never null, as its index has it. Null stands for the id,
 * which sorts by creation.
 */
export type SortFields = Record<string, { key: string; type: "text" | "timestamptz" } | null>;

/** The parameter `sort`: a field, with "-" before it for descending. */
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

/** An order of rows without ties, and where a page of it begins. */
export interface Order {
  /** What stands behind ORDER BY. */
  by: string;
  /** To select beside the columns of a row: what the cursor keeps. Begins with a comma, or is empty. */
  select: string;
  /** The predicate of what follows the row that a cursor was made of. */
  beyond(after: string, parameter: Parameter): string;
  keyOf(row: Sorted): string | Id;
}

/** @param alias of the table, with its dot, in `key` too. */
export function orderBy(sort: string, fields: SortFields, alias = ""): Order {
  const isDescending = sort.startsWith("-");
  const field = fields[isDescending ? sort.slice(1) : sort]!;
  const [direction, comparison] = isDescending ? ["DESC", "<"] : ["ASC", ">"];
  const id = `${alias}id`;
  if (!field) {
    return {
      by: `${id} ${direction}`,
      select: "",
      beyond: (after, parameter) => `${id} ${comparison} ${parameter(after)}::uuid`,
      keyOf: (row) => row.id,
    };
  }
  return {
    by: `${field.key} ${direction}, ${id} ${direction}`,
    select: `, (${field.key})::text AS sort_key`,
    beyond(after, parameter) {
      const [key, lastId] = JSON.parse(after) as [string, string];
      return `(${field.key}, ${id}) ${comparison} (${parameter(key)}::${field.type}, ${parameter(lastId)}::uuid)`;
    },
    keyOf: (row) => JSON.stringify([row.sort_key, row.id]),
  };
}
