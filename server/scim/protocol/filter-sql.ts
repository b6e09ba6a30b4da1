import type { Parameter } from "@/server/core/list-filters";
import { badRequest } from "./error";
import { booleanOf } from "./evaluate";
import type { Comparison, Filter, Value } from "./filter";
import { readPath } from "./path";
import { findAttribute, type Attribute, type ResourceSchema } from "./schemas";

/** A column that a filter may name. Others are read from the JSON of the resource. */
export interface Column {
  sql: string;
  /** key: compared as the application folds it. time: an instant. subject: an id, which the application decodes. */
  kind: "text" | "key" | "boolean" | "time" | "id";
}

/** A list that can be filtered: its schema, its columns by the names of the schema, and its JSON. */
export interface Filtered {
  schema: ResourceSchema;
  columns: Readonly<Record<string, Column>>;
  /** The jsonb of the resource; null if columns contain everything. */
  json: string | null;
  /** Decodes an id of a filter; null for a text that is no id. */
  readId(text: string): string | null;
  /** Folds a text as the columns of kind key are. */
  fold(text: string): string;
  /** Lists in another table, such as the members of a group. `special` has their conditions. */
  elsewhere?: ReadonlySet<string>;
  /** The condition for attributes in another table, such as the members of a group. */
  special?(name: string, op: Comparison | "pr", value: Value, parameter: Parameter): string | null;
  /** A condition that every row with this value of the attribute fulfils, and that an index serves. */
  indexed?(name: string, value: string, parameter: Parameter): string | null;
  /**
   * Schemas of other resources that the same search lists. Their attributes have no value here (RFC 7644 section
   * 3.4.2.1).
   */
  others?: readonly ResourceSchema[];
}

/**
 * Compiles a filter to a predicate. Names come from the tables of attributes and columns, values are parameters.
 *
 * @throws ScimError invalidFilter for an attribute that cannot be filtered by, because after an empty answer a provider
 * would create everybody again
 */
export function filterSql(filter: Filter, filtered: Filtered, parameter: Parameter): string {
  switch (filter.op) {
    case "and":
    case "or":
      return `(${filter.of.map((each) => filterSql(each, filtered, parameter)).join(filter.op === "and" ? " AND " : " OR ")})`;
    case "not":
      return `NOT coalesce(${filterSql(filter.of, filtered, parameter)}, false)`;
    case "each":
      return eachSql(filter.name, filter.of, filtered, parameter);
    case "pr":
      return leafSql(filter.name, "pr", null, filtered, parameter);
    default:
      return leafSql(filter.name, filter.op, filter.value, filtered, parameter);
  }
}

const unknown = () =>
  badRequest("invalidFilter", "The filter names an attribute that cannot be filtered by. GET /Schemas lists them.");

/** Whether another resource that the same search lists has the attribute. */
const isOfOthers = ({ others = [] }: Filtered, name: string) =>
  others.some((schema) => readPath(schema, name).attribute !== null);

function leafSql(name: string, op: Comparison | "pr", value: Value, filtered: Filtered, parameter: Parameter): string {
  if (op === "ne") return `NOT coalesce(${leafSql(name, "eq", value, filtered, parameter)}, false)`;
  if (op !== "pr" && value === null) {
    if (op !== "eq") return "false";
    return `NOT coalesce(${leafSql(name, "pr", null, filtered, parameter)}, false)`;
  }
  const { urn, attribute, sub } = readPath(filtered.schema, name);
  if (!attribute && isOfOthers(filtered, name)) return "false";
  if (!attribute) throw unknown();
  const whole = [urn ?? [], attribute.name, sub ?? []].flat().join(".");
  if (whole === "schemas") return schemasSql(attribute, op, value, filtered, parameter);
  const special = filtered.special?.(whole, op, value, parameter);
  if (special) return special;
  const column = filtered.columns[whole];
  if (column) return columnSql(column, op, value, filtered, parameter);
  // Every resource has the attributes that the service writes, and the directory's JSON contains none of them.
  if (op === "pr" && urn === null && attribute.name === "meta" && isPart(attribute, sub)) return "true";
  if (filtered.json === null || attribute.returned === "never" || attribute.mutability === "readOnly") throw unknown();
  const place = urn === null ? filtered.json : `${filtered.json} -> ${literal(urn)}`;
  const leaf = attribute.type === "complex" ? findAttribute(attribute.subAttributes, sub ?? "value") : attribute;
  if (!leaf) {
    if (sub === null && op === "pr") return `${place} ? ${literal(attribute.name)}`;
    throw unknown();
  }
  if (!attribute.multiValued) {
    const at = attribute.type === "complex" ? `${place} -> ${literal(attribute.name)}` : place;
    return jsonLeaf(`(${at} ->> ${literal(leaf.name)})`, leaf, op, value, parameter);
  }
  const condition = `EXISTS (SELECT FROM jsonb_array_elements(${place} -> ${literal(attribute.name)}) AS element (v)
    WHERE ${jsonLeaf(elementValue(attribute, leaf), leaf, op, value, parameter)})`;
  const indexed = op === "eq" ? filtered.indexed?.(`${attribute.name}.${leaf.name}`, String(value), parameter) : null;
  return indexed ? `(${indexed} AND ${condition})` : condition;
}

/** A condition on the URNs of a resource: that of its own schema, and those of its extensions, which are keys of its JSON. */
function schemasSql(
  attribute: Attribute,
  op: Comparison | "pr",
  value: Value,
  { schema, json }: Filtered,
  parameter: Parameter,
): string {
  if (op === "pr") return "true";
  const matches = (urn: string) => jsonLeaf(urn, attribute, op, value, parameter);
  const own = matches(literal(schema.urn));
  if (json === null) return own;
  return `(${own} OR EXISTS (SELECT FROM jsonb_object_keys(${json}) AS extension (urn) WHERE starts_with(lower(urn), 'urn:') AND ${matches("urn")}))`;
}

const isPart = (attribute: Attribute, sub: string | null) =>
  sub === null || findAttribute(attribute.subAttributes, sub) !== undefined;

const elementValue = (attribute: Attribute, leaf: Attribute) =>
  attribute.type === "complex" ? `(v ->> ${literal(leaf.name)})` : `(v #>> '{}')`;

function eachSql(name: string, filter: Filter, filtered: Filtered, parameter: Parameter): string {
  const { urn, attribute, sub } = readPath(filtered.schema, name);
  if (!attribute && isOfOthers(filtered, name)) return "false";
  if (!attribute?.multiValued || sub !== null) throw unknown();
  if (urn === null && filtered.elsewhere?.has(attribute.name)) return listSql(name, filter, filtered, parameter);
  if (filtered.json === null) throw unknown();
  const place = urn === null ? filtered.json : `${filtered.json} -> ${literal(urn)}`;
  const indexes: string[] = [];
  const inner = (each: Filter, top: boolean): string => {
    switch (each.op) {
      case "and":
      case "or":
        return `(${each.of.map((one) => inner(one, top && each.op === "and")).join(each.op === "and" ? " AND " : " OR ")})`;
      case "not":
        return `NOT coalesce(${inner(each.of, false)}, false)`;
      case "each":
        throw unknown();
      default: {
        const leaf = findAttribute(attribute.subAttributes, each.name);
        if (!leaf) throw unknown();
        if (each.op === "ne") return `NOT coalesce(${inner({ ...each, op: "eq" }, false)}, false)`;
        const value = each.op === "pr" ? null : each.value;
        if (each.op !== "pr" && value === null)
          return each.op === "eq" ? `NOT coalesce(${inner({ op: "pr", name: each.name }, false)}, false)` : "false";
        if (top && each.op === "eq") {
          const indexed = filtered.indexed?.(`${attribute.name}.${leaf.name}`, String(value), parameter);
          if (indexed) indexes.push(indexed);
        }
        const at =
          leaf.type === "boolean" ? `coalesce(v ->> ${literal(leaf.name)}, 'false')` : elementValue(attribute, leaf);
        return jsonLeaf(at, leaf, each.op, value, parameter);
      }
    }
  };
  const condition = `EXISTS (SELECT FROM jsonb_array_elements(${place} -> ${literal(attribute.name)}) AS element (v) WHERE ${inner(filter, true)})`;
  return indexes.length > 0 ? `(${indexes.join(" AND ")} AND ${condition})` : condition;
}

/**
 * A value filter of a list in another table: members[value eq "…"]. One value of the list fulfils several conditions
 * joined by `or` if it fulfils one of them; other filters are not supported.
 */
function listSql(name: string, filter: Filter, filtered: Filtered, parameter: Parameter): string {
  if (filter.op === "or") return `(${filter.of.map((each) => listSql(name, each, filtered, parameter)).join(" OR ")})`;
  if (filter.op === "pr") return leafSql(`${name}.${filter.name}`, "pr", null, filtered, parameter);
  if (filter.op !== "eq" || filter.value === null) throw unknown();
  return leafSql(`${name}.${filter.name}`, "eq", filter.value, filtered, parameter);
}

function jsonLeaf(sql: string, leaf: Attribute, op: Comparison | "pr", value: Value, parameter: Parameter): string {
  if (op === "pr") return `${sql} IS NOT NULL`;
  if (leaf.type === "boolean") return `${sql} = ${parameter(String(booleanOf(op, value)))}`;
  if (leaf.type === "binary" && op in orders)
    throw badRequest("invalidFilter", "Certificates have no order: compare them by eq, ne, co, sw, ew or pr.");
  const given = `${parameter(String(value))}::text`;
  return leaf.caseExact ? textSql(sql, op, given) : textSql(`lower(${sql})`, op, `lower(${given})`);
}

function textSql(left: string, op: Comparison, right: string): string {
  switch (op) {
    case "eq":
      return `${left} = ${right}`;
    case "co":
      return `position(${right} IN ${left}) > 0`;
    case "sw":
      return `starts_with(${left}, ${right})`;
    case "ew":
      return `right(${left}, length(${right})) = ${right}`;
    default:
      return `${left} COLLATE "C" ${orders[op as keyof typeof orders]} ${right}`;
  }
}

const orders = { gt: ">", ge: ">=", lt: "<", le: "<=" } as const;

function columnSql(
  { sql, kind }: Column,
  op: Comparison | "pr",
  value: Value,
  filtered: Filtered,
  parameter: Parameter,
): string {
  if (op === "pr") return `${sql} IS NOT NULL`;
  const text = String(value);
  switch (kind) {
    case "boolean":
      return `${sql} = ${parameter(booleanOf(op, value))}::boolean`;
    case "time": {
      const at = new Date(text);
      if (Number.isNaN(at.getTime()) || !(op === "eq" || op in orders))
        throw badRequest(
          "invalidFilter",
          "Times are compared by eq, gt, ge, lt or le with one as 2026-01-31T12:00:00Z.",
        );
      return `${sql} ${op === "eq" ? "=" : orders[op as keyof typeof orders]} ${parameter(at)}::timestamptz`;
    }
    case "id": {
      if (op !== "eq") throw badRequest("invalidFilter", "An id is compared by eq or ne.");
      const id = filtered.readId(text);
      return id === null ? "false" : `${sql} = ${parameter(id)}::uuid`;
    }
    case "key":
      return textSql(sql, op, `${parameter(filtered.fold(text))}::text`);
    case "text":
      return textSql(sql, op, `${parameter(text)}::text`);
  }
}

/** A name of our own tables of attributes as an SQL literal. */
const literal = (name: string) => `'${name.replaceAll("'", "''")}'`;
