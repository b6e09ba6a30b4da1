import { badRequest } from "../protocol/error";
import type { Filtered } from "../protocol/filter-sql";
import { readPath } from "../protocol/path";
import { groupSchema } from "../protocol/schemas";
import { columnKey, type SortKey } from "../sort-key";

/**
 * The value that groups are sorted by (RFC 7644 section 3.4.2.3).
 * @returns null if groups have no such attribute
 * @throws ScimError invalidPath for an attribute without one value to sort by
 */
export function groupSortKey(sortBy: string, columns: Filtered["columns"]): SortKey | null {
  const { urn, attribute, sub } = readPath(groupSchema, sortBy);
  if (!attribute) return null;
  const column = columns[[urn ?? [], attribute.name, sub ?? []].flat().join(".")];
  if (!column) throw notSortable();
  return columnKey(column);
}

/** The refusal of an attribute that groups are not sorted by. */
export const notSortable = () =>
  badRequest("invalidPath", "Groups are sorted by displayName, externalId, id or a time of meta.");
