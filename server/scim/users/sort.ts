import { badRequest } from "../protocol/error";
import type { Filtered } from "../protocol/filter-sql";
import { readPath } from "../protocol/path";
import { findAttribute, userSchema, type Attribute } from "../protocol/schemas";
import { columnKey, type SortKey } from "../sort-key";

/**
 * The value that users are sorted by (RFC 7644 section 3.4.2.3).
 * @returns null if users have no such attribute
 * @throws ScimError invalidPath for an attribute without one value to sort by
 */
export function userSortKey(sortBy: string, columns: Filtered["columns"]): SortKey | null {
  const { urn, attribute, sub } = readPath(userSchema, sortBy);
  if (!attribute) return null;
  const column = columns[[urn ?? [], attribute.name, sub ?? []].flat().join(".")];
  if (column) return columnKey(column);
  const leaf = leafOf(attribute, sub);
  if (!leaf || attribute.mutability === "readOnly") throw notSortable();
  const place = urn === null ? "resource" : `resource -> '${urn}'`;
  const value = attribute.multiValued
    ? mainValue(`${place} -> '${attribute.name}'`, leaf.name)
    : `${place} ${attribute.type === "complex" ? `-> '${attribute.name}'` : ""} ->> '${leaf.name}'`;
  return { sql: leaf.caseExact ? `(${value})` : `lower(${value})`, type: "text" };
}

/** The refusal of an attribute that users are not sorted by. */
export const notSortable = () =>
  badRequest("invalidPath", "Users are sorted by an attribute with one value, such as userName or name.familyName.");

/** The attribute that is compared: the sub-attribute, that named `value` of a list, or the attribute itself. */
const leafOf = (attribute: Attribute, sub: string | null): Attribute | undefined =>
  attribute.type === "complex"
    ? findAttribute(attribute.subAttributes, sub ?? (attribute.multiValued ? "value" : ""))
    : attribute;

/** SQL: of a list of values, the primary one, else the first (RFC 7644 section 3.4.2.3). */
const mainValue = (list: string, name: string) =>
  `(SELECT v ->> '${name}' FROM jsonb_array_elements(${list}) WITH ORDINALITY AS element (v, n) ORDER BY coalesce(v ->> 'primary', 'false') DESC, n LIMIT 1)`;
