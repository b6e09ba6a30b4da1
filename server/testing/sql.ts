import { sql as send, type Query } from "@/server/core/db";
import { isId, readId, uuidOf, type IdPrefix } from "@/server/core/ids";

/**
 * Runs one statement, for tests that read tables directly. Ids among the values, also in arrays, may have the form that
 * callers see. Do not use it for text columns that store that form, such as the target of an audit entry.
 */
export const sql: Query = (text, values = [], prepared) => send(text, storedIds(values) as unknown[], prepared);

/** Returns the values with ids in the form in which the database stores them. */
export function storedIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storedIds);
  if (typeof value !== "string") return value;
  const prefix = value.slice(0, 3) as IdPrefix;
  return isId(prefix, value) ? uuidOf(readId(prefix, value)) : value;
}
