import { sql as send, type Query } from "@/server/core/db";
import { isId, readId, uuidOf, type IdPrefix } from "@/server/core/ids";

/**
 * Runs one statement, for tests that look into tables themselves: ids among the values may be in the form that callers
 * see, also in arrays. Not for columns of text that hold an id in that form, such as the target of an audit entry.
 */
export const sql: Query = (text, values = [], prepared) => send(text, storedIds(values) as unknown[], prepared);

/** The same values with ids as the database has them. */
export function storedIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storedIds);
  if (typeof value !== "string") return value;
  const prefix = value.slice(0, 3) as IdPrefix;
  return isId(prefix, value) ? uuidOf(readId(prefix, value)) : value;
}
