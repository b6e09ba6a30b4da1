import { badRequest } from "./error";
import type { Comparison, Filter, Value } from "./filter";
import { readPath } from "./path";
import { findAttribute, type Attribute, type ResourceSchema } from "./schemas";
import { isFields, ownValue, type Fields, type Json } from "./values";

/** Resolves the attribute names of a filter. */
interface Scope {
  read(name: string): { values: Json[]; type: Attribute["type"]; caseExact: boolean };
  each(name: string): Scope[];
}

/** Whether a value of a multi-valued attribute meets a value filter. */
export const elementMatches = (filter: Filter, attribute: Attribute | null, element: Json): boolean =>
  matches(filter, elementScope(attribute, element));

/** Whether a resource meets a filter. Tests compare the SQL of lists with it. */
export const resourceMatches = (filter: Filter, schema: ResourceSchema, resource: Fields): boolean =>
  matches(filter, resourceScope(schema, resource));

function matches(filter: Filter, scope: Scope): boolean {
  switch (filter.op) {
    case "and":
      return filter.of.every((each) => matches(each, scope));
    case "or":
      return filter.of.some((each) => matches(each, scope));
    case "not":
      return !matches(filter.of, scope);
    case "each":
      return scope.each(filter.name).some((element) => matches(filter.of, element));
    case "pr":
      return scope.read(filter.name).values.length > 0;
    default:
      return compare(filter.op, filter.value, scope.read(filter.name));
  }
}

function compare(op: Comparison, wanted: Value, { values, type, caseExact }: ReturnType<Scope["read"]>): boolean {
  if (op === "ne") return !compare("eq", wanted, { values, type, caseExact });
  if (wanted === null) return op === "eq" && values.length === 0;
  if (type === "boolean") return values.some((value) => value === booleanOf(op, wanted));
  const fold = (value: Json | Value) => (caseExact ? String(value) : String(value).toLowerCase());
  const right = fold(wanted);
  return values.filter(isScalar).some((value) => comparisonsOfText[op](fold(value), right));
}

/** Objects and lists are compared with nothing. */
const isScalar = (value: Json) => typeof value !== "object";

/** Compares booleans. @throws ScimError invalidFilter if the value is not true or false, or the comparison is not eq or ne */
export function booleanOf(op: Comparison, value: Value): boolean {
  const word = String(value).toLowerCase();
  if (op !== "eq" || (word !== "true" && word !== "false"))
    throw badRequest("invalidFilter", "What is true or false is compared by eq or ne with true or false.");
  return word === "true";
}

/** Compares texts by code points, which is the order of PostgreSQL's collation C. */
const order = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

const comparisonsOfText: Record<Exclude<Comparison, "ne">, (left: string, right: string) => boolean> = {
  eq: (left, right) => left === right,
  co: (left, right) => left.includes(right),
  sw: (left, right) => left.startsWith(right),
  ew: (left, right) => left.endsWith(right),
  gt: (left, right) => order(left, right) > 0,
  ge: (left, right) => order(left, right) >= 0,
  lt: (left, right) => order(left, right) < 0,
  le: (left, right) => order(left, right) <= 0,
};

const listOf = (value: Json | undefined): Json[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

function resourceScope(schema: ResourceSchema, resource: Fields): Scope {
  const find = (name: string) => {
    const { urn, attribute, sub } = readPath(schema, name);
    if (!attribute) throw badRequest("invalidFilter", "The filter names an attribute that the schema does not have.");
    const holder = urn === null ? resource : resource[urn];
    return { attribute, sub, all: listOf(isFields(holder) ? holder[attribute.name] : undefined) };
  };
  return {
    read(name) {
      const { attribute, sub, all } = find(name);
      return readSub(attribute, sub, all);
    },
    each(name) {
      const { attribute, all } = find(name);
      return all.map((element) => elementScope(attribute, element));
    },
  };
}

/** The values of an attribute or of its sub-attribute; of a complex one without a sub-attribute, those of `value`. */
function readSub(attribute: Attribute, sub: string | null, all: Json[]): ReturnType<Scope["read"]> {
  if (attribute.type !== "complex") return { values: all, type: attribute.type, caseExact: attribute.caseExact };
  const leaf = findAttribute(attribute.subAttributes, sub ?? "value");
  if (!leaf) {
    if (sub === null) return { values: all, type: "string", caseExact: true };
    throw badRequest("invalidFilter", "The filter names a sub-attribute that the schema does not have.");
  }
  const values = all.flatMap((element) => {
    const value = isFields(element) ? element[leaf.name] : undefined;
    return value === undefined ? [] : [value];
  });
  return { values, type: leaf.type, caseExact: leaf.caseExact };
}

function elementScope(attribute: Attribute | null, element: Json): Scope {
  return {
    read(name) {
      const sub = attribute && findAttribute(attribute.subAttributes, name);
      const key = sub?.name ?? name;
      // In a value filter on a list of texts, the name `value` means the text itself.
      const value = isFields(element) ? ownValue(element, key) : key === "value" ? element : undefined;
      // A missing boolean counts as false.
      if (sub?.type === "boolean" && value === undefined) return { values: [false], type: "boolean", caseExact: true };
      return {
        values: value === undefined ? [] : [value],
        type: sub?.type ?? "string",
        caseExact: sub?.caseExact ?? false,
      };
    },
    each: () => [],
  };
}
