import { badRequest } from "./error";
import {
  extensionOf,
  extensionWith,
  findAttribute,
  groupUrn,
  userUrn,
  type Attribute,
  type AttributeType,
  type ResourceSchema,
} from "./schemas";

/** Any JSON. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
/** An object without a prototype, so that no name that a provider sends reaches one. */
export type Fields = { [name: string]: Json };

export const fields = (from: Fields = {}): Fields => Object.assign(Object.create(null) as Fields, from);

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a name that somebody sent from an object that may have a prototype, such as a stored one. */
export const ownValue = (object: Fields, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/**
 * A value as a text; objects and lists have none. String() calls the toString of an object, which a client may send, and
 * which an object without a prototype lacks.
 */
export const textOfScalar = (value: unknown): string =>
  value === null || value === undefined || typeof value === "object" ? "" : String(value);

const longestText = 16 * 1024;
const mostValues = 1_000;

/**
 * Converts a value to the form of its attribute: `"True"` becomes true, a single value of a multi-valued attribute a
 * list, a list with one value the value of a single-valued one, and a text the value of a complex one.
 *
 * @returns undefined for null, an empty list and an empty object, which mean that there is no value
 * @throws ScimError invalidValue
 */
export function coerce(attribute: Attribute, value: Json | undefined): Json | undefined {
  if (attribute.multiValued) {
    const all = value === undefined || value === null || value === "" ? [] : Array.isArray(value) ? value : [value];
    if (all.length > mostValues)
      throw badRequest("invalidValue", `${attribute.name} has more than ${mostValues} values.`);
    const list = all.flatMap((each) => {
      const one = coerceOne(attribute, each);
      return one === undefined ? [] : [one];
    });
    return list.length > 0 ? onePrimary(list) : undefined;
  }
  if (Array.isArray(value)) {
    if (value.length > 1) throw badRequest("invalidValue", `${attribute.name} takes one value.`);
    return coerceOne(attribute, value[0]);
  }
  return coerceOne(attribute, value);
}

/** Converts one value to the form of its attribute, also of a multi-valued one. */
export function coerceOne(attribute: Attribute, value: Json | undefined): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (attribute.type === "complex") return coerceComplex(attribute, value);
  if (isFields(value)) {
    // Some providers wrap every value: {"$ref": null, "value": "x"}.
    if (!("value" in value)) throw badRequest("invalidValue", `${attribute.name} is no object.`);
    return coerceOne(attribute, value["value"] as Json);
  }
  return scalars[attribute.type](attribute.name, value);
}

function coerceComplex(attribute: Attribute, value: Json): Fields | undefined {
  if (!isFields(value)) {
    if (value === "") return undefined;
    const sub = findAttribute(attribute.subAttributes, "value") ?? findAttribute(attribute.subAttributes, "formatted");
    if (!sub || Array.isArray(value)) throw badRequest("invalidValue", `${attribute.name} is an object.`);
    return fields({ [sub.name]: scalars[sub.type as keyof typeof scalars](sub.name, value)! });
  }
  const result = fields();
  for (const [name, each] of Object.entries(value)) {
    const sub = findAttribute(attribute.subAttributes, name);
    const one = sub && coerce(sub, each);
    if (one !== undefined && one !== "") result[sub!.name] = one;
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

const scalars: Record<Exclude<AttributeType, "complex">, (name: string, value: Json) => Json | undefined> = {
  string: text,
  reference: text,
  binary: text,
  dateTime: text,
  boolean(name, value) {
    if (typeof value === "boolean") return value;
    const word = textOfScalar(value).toLowerCase();
    if (word === "true" || word === "1") return true;
    if (word === "false" || word === "0") return false;
    if (value === "") return undefined;
    throw badRequest("invalidValue", `${name} is true or false.`);
  },
};

function text(name: string, value: Json): string {
  if (typeof value === "object") throw badRequest("invalidValue", `${name} is a text.`);
  const told = String(value);
  if (told.length > longestText)
    throw badRequest("invalidValue", `${name} has more than ${longestText.toLocaleString("en")} characters.`);
  return told;
}

/**
 * At most one value is primary (RFC 7643 section 2.4): the last one that is marked, or the one that was just written.
 */
export function onePrimary(list: Json[], written?: Json): Json[] {
  const primary = written ?? list.findLast((each) => isFields(each) && each["primary"] === true);
  if (!isFields(primary) || primary["primary"] !== true) return list;
  for (const each of list) if (each !== primary && isFields(each) && each["primary"] === true) each["primary"] = false;
  return list;
}

/** Names that are never kept, because code that copies objects may follow them to a prototype. */
const unsafe = new Set(["__proto__", "constructor", "prototype"]);

/** Takes the value of an extension that we do not know as it is, without names that could reach a prototype. */
export function free(value: Json, depth = 0): Json {
  if (depth > 6) throw badRequest("invalidValue", "An extension is nested more than 6 levels deep.");
  if (Array.isArray(value)) return value.map((each) => free(each, depth + 1));
  if (!isFields(value)) return value;
  const result = fields();
  for (const [name, each] of Object.entries(value))
    if (!unsafe.has(name) && each !== null) result[name] = free(each, depth + 1);
  return result;
}

export const isSafeName = (name: string) => !unsafe.has(name) && name.length <= 200;

export const isUrn = (name: string) => name.toLowerCase().startsWith("urn:");

/**
 * Reads the resource of a POST or PUT: canonical names and types, extensions under their URN. Leaves out read-only
 * attributes (id, meta, groups of a person), passwords and attributes that no schema has.
 *
 * @throws ScimError invalidValue
 */
export function readResource(schema: ResourceSchema, body: Fields): Fields {
  const resource = fields();
  for (const [name, value] of Object.entries(qualified(schema, body))) {
    if (isUrn(name)) {
      const { urn, attributes } = extensionOf(schema, name);
      // Google nests core attributes under the URN of their own schema.
      if (urn.toLowerCase() === userUrn.toLowerCase() || urn.toLowerCase() === groupUrn.toLowerCase()) {
        if (isFields(value)) Object.assign(resource, readResource(schema, value));
      } else {
        const extension = isFields(value) ? readExtension(attributes, value) : undefined;
        if (extension) resource[urn] = extension;
      }
      continue;
    }
    const attribute = findAttribute(schema.core, name);
    if (!attribute || attribute.mutability !== "readWrite") continue;
    const read = coerce(attribute, value);
    if (read !== undefined && read !== "") resource[attribute.name] = read;
  }
  return resource;
}

/**
 * Moves attributes of a known extension that are sent without its URN into the extension. A value that is already there
 * wins.
 */
function qualified(schema: ResourceSchema, body: Fields): Fields {
  const result = fields(body);
  for (const [name, value] of Object.entries(body)) {
    const extension = isUrn(name) ? undefined : extensionWith(schema, name);
    if (!extension) continue;
    const urn = Object.keys(result).find((each) => each.toLowerCase() === extension.urn.toLowerCase()) ?? extension.urn;
    const said = result[urn];
    if (said !== undefined && !isFields(said)) continue;
    const canonical = findAttribute(extension.attributes, name)!.name;
    const isSaid = Object.keys(said ?? {}).some((each) => each.toLowerCase() === canonical.toLowerCase());
    delete result[name];
    if (!isSaid) result[urn] = fields({ ...said, [canonical]: value });
  }
  return result;
}

export function readExtension(attributes: readonly Attribute[] | null, value: Fields): Fields | undefined {
  if (!attributes) {
    const kept = free(value) as Fields;
    return Object.keys(kept).length > 0 ? kept : undefined;
  }
  const result = fields();
  for (const [name, each] of Object.entries(value)) {
    const attribute = findAttribute(attributes, name);
    const read = attribute && coerce(attribute, each);
    if (read !== undefined && read !== "") result[attribute!.name] = read;
  }
  return Object.keys(result).length > 0 ? result : undefined;
}
