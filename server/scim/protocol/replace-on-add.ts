import type { Change } from "./patch";
import { readPath, type Target } from "./path";
import { userSchema } from "./schemas";

/**
 * Turns the first `add` to each of these lists in a PATCH into a `replace`. Later adds of the same PATCH stay adds. Needed
 * for directories that send the whole list in adds and never remove old values.
 * @param paths lists of a user, as the setting replaceOnAdd of a connection names them
 */
export function replaceOnAdd(changes: readonly Change[], paths: readonly string[]): readonly Change[] {
  const lists = new Set(paths.map((path) => nameOf(readPath(userSchema, path))));
  if (lists.size === 0) return changes;
  return changes.map((change) => {
    const { op, target } = change;
    if (op !== "add" || target.filter !== null || target.sub !== null || !lists.delete(nameOf(target))) return change;
    return { ...change, op: "replace" };
  });
}

const nameOf = ({ urn, name }: Target): string => `${urn ?? ""}:${name ?? ""}`.toLowerCase();
