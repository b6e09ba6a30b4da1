import type { Filtered } from "./protocol/filter-sql";

/** SQL: the value that resources are sorted by, and its type. Users and groups sorted together need values of one type. */
export interface SortKey {
  sql: string;
  type: "uuid" | "text" | "boolean" | "timestamptz";
}

const types = { id: "uuid", key: "text", text: "text", boolean: "boolean", time: "timestamptz" } as const;

/** The key of an attribute that has a column. */
export const columnKey = ({ sql, kind }: Filtered["columns"][string]): SortKey => ({ sql, type: types[kind] });
