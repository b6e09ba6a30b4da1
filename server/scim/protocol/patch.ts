import { badRequest, ScimError } from "./error";
import { elementMatches } from "./evaluate";
import type { Filter } from "./filter";
import { readPath, type Target } from "./path";
import { findAttribute, type Attribute, type ResourceSchema } from "./schemas";
import {
  coerce,
  coerceOne,
  fields,
  free,
  isFields,
  isSafeName,
  isUrn,
  onePrimary,
  readExtension,
  type Fields,
  type Json,
} from "./values";

/** One change of a PATCH: an operation with a path, or a member of the value of an operation without one. */
export interface Change {
  op: "add" | "replace" | "remove";
  target: Target;
  value: Json | undefined;
}

/** The most operations of one PATCH. Some providers send one for each member of a group. */
const mostOperations = { User: 1_000, Group: 10_000 };

/**
 * Reads the operations of a PATCH (RFC 7644 section 3.5.2) as providers send them: `Add` in any case, a value of
 * members whose names are paths instead of a path, attributes nested under the URN of their own schema, and no
 * operations at all.
 * @param resource the resource as it is, whose extensions the paths may name
 * @throws ScimError invalidSyntax, invalidPath, invalidFilter, noTarget
 */
export function readPatch(schema: ResourceSchema, body: Fields, resource: Fields = fields()): Change[] {
  const operations = memberOf(body, "operations");
  if (!Array.isArray(operations)) throw badRequest("invalidSyntax", "A PATCH has a list of Operations.");
  const most = mostOperations[schema.name];
  if (operations.length > most)
    throw badRequest("tooMany", `A PATCH has at most ${most.toLocaleString("en")} operations.`);
  const reader: Reader = { schema, extensions: Object.keys(resource).filter(isUrn) };
  return operations.flatMap((operation) => {
    if (!isFields(operation)) throw badRequest("invalidSyntax", "An operation is an object with op, path and value.");
    const op = String(memberOf(operation, "op")).toLowerCase();
    if (op !== "add" && op !== "replace" && op !== "remove")
      throw badRequest("invalidSyntax", "The op of an operation is add, replace or remove.");
    const path = memberOf(operation, "path");
    const value = memberOf(operation, "value");
    if (typeof path === "string" && path.trim() !== "") return readChange(reader, op, path, value);
    if (path !== undefined && path !== null && path !== "") throw badRequest("invalidPath", "The path is a text.");
    if (op === "remove") throw badRequest("noTarget", "A remove names in its path what is removed.");
    return readMembers(reader, op, value);
  });
}

/** The context for reading the operations of one PATCH. */
interface Reader {
  schema: ResourceSchema;
  /** The URNs of the extensions that the resource has, and that earlier operations name. */
  extensions: string[];
}

function readChange(reader: Reader, op: Change["op"], path: string, value: Json | undefined): Change[] {
  const target = readPath(reader.schema, path, { ...reader, isObject: isFields(value) });
  if (target.urn !== null && !reader.extensions.includes(target.urn)) reader.extensions.push(target.urn);
  // The URN of the schema itself holds attributes of the resource, as in a POST.
  if (target.urn === null && target.name === null && op !== "remove") return readMembers(reader, op, value);
  return [{ op, target, value }];
}

/** The changes of an operation without a path, or with the URN of the schema as its path. */
function readMembers(reader: Reader, op: Change["op"], value: Json | undefined): Change[] {
  // Some providers wrap the object in a list.
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((each) => {
    if (!isFields(each)) throw badRequest("invalidValue", "The value of an operation without a path is an object.");
    return Object.entries(each).flatMap(([name, member]) => readChange(reader, op, name, member));
  });
}

/** Members of a message are found in any case: `Operations`, `operations`. */
function memberOf(object: Fields, name: string): Json | undefined {
  const key = Object.keys(object).find((each) => each.toLowerCase() === name);
  return key === undefined ? undefined : object[key];
}

/**
 * Applies changes to a resource and returns the new one. Ignores read-only attributes, passwords and attributes that
 * the schema does not have, so that one of them does not fail the rest.
 *
 * @throws ScimError invalidValue, mutability
 */
export function applyPatch(resource: Fields, changes: readonly Change[]): Fields {
  const result = copy(resource);
  for (const change of changes) {
    const { target } = change;
    const holder = holderOf(result, target);
    if (target.name === null) applyExtension(result, change);
    else if (target.attribute) applyKnown(holder, change, target.attribute);
    else if (target.urn !== null && target.attributes === null && isSafeName(target.name))
      applyFree(holder, change, target.name);
    if (target.urn !== null && target.name !== null && Object.keys(holder).length === 0) delete result[target.urn];
  }
  return result;
}

/** Counts the changes that applyPatch ignores because the attribute is read-only, or unknown to the schema. */
export const countPassedOver = (changes: readonly Change[]): number =>
  changes.filter(({ target: { name, attribute, urn, attributes } }) => {
    if (attribute) return attribute.mutability !== "readWrite";
    const isFreeExtension = urn !== null && attributes === null;
    return name !== null && !isFreeExtension;
  }).length;

/** Copies a resource, so that the stored one is not changed. */
function copy<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (!isFields(value)) return value;
  const result = fields();
  for (const [name, each] of Object.entries(value)) result[name] = copy(each);
  return result as T;
}

/** The object that holds the target's attribute: the resource, or its extension. */
function holderOf(resource: Fields, { urn, name }: Target): Fields {
  if (urn === null) return resource;
  const found = resource[urn];
  if (isFields(found)) return found;
  // It is dropped again if the change leaves it empty.
  return name === null ? fields() : (resource[urn] = fields());
}

function applyExtension(resource: Fields, { op, target, value }: Change): void {
  const { urn, attributes } = target;
  // A remove of the schema's own URN would remove the resource itself.
  if (urn === null) throw badRequest("invalidPath", "The path names no attribute.");
  if (op === "remove") {
    delete resource[urn];
    return;
  }
  if (!isFields(value)) throw badRequest("invalidValue", "The value of an extension is an object.");
  const before = resource[urn];
  const kept = isFields(before) ? before : fields();
  // A null or an empty text removes one attribute, and readExtension would leave it out.
  for (const [name, each] of Object.entries(value))
    if (each === null || each === "") {
      const known = attributes ? findAttribute(attributes, name)?.name : name;
      if (known !== undefined && isSafeName(known)) delete kept[known];
    }
  const next = Object.assign(kept, readExtension(attributes, value));
  if (Object.keys(next).length > 0) resource[urn] = next;
  else delete resource[urn];
}

function applyKnown(holder: Fields, change: Change, attribute: Attribute): void {
  if (attribute.mutability !== "readWrite") return;
  if (attribute.multiValued) applyMultiValued(holder, change, attribute);
  else if (attribute.type === "complex") applyComplex(holder, change, attribute);
  // A text has no parts, so a change of one must not change the text itself.
  else if (change.target.sub === null && change.target.filter === null)
    set(holder, attribute, change.op === "remove" ? undefined : coerce(attribute, change.value));
}

/** Sets an attribute; null, an empty text and an empty list remove it. */
function set(holder: Fields, attribute: Attribute, value: Json | undefined): void {
  if (value !== undefined && value !== "") holder[attribute.name] = value;
  else if (attribute.required)
    throw new ScimError(400, "mutability", `${attribute.name} is required and cannot be removed.`);
  else delete holder[attribute.name];
}

function applyComplex(holder: Fields, { op, target, value }: Change, attribute: Attribute): void {
  const before = holder[attribute.name];
  const kept = isFields(before) ? before : fields();
  if (op === "remove" && target.filter !== null && !elementMatches(target.filter, attribute, kept)) return;
  if (target.sub === null) {
    if (op === "remove") return set(holder, attribute, undefined);
    const read = coerce(attribute, value);
    // manager: "" clears it. An object changes the parts that it has and keeps the others, even in a replace, because
    // Entra sends single parts.
    if (read === undefined) return set(holder, attribute, undefined);
    return set(holder, attribute, Object.assign(kept, read));
  }
  const sub = findAttribute(attribute.subAttributes, target.sub);
  if (!sub) return;
  set(kept, sub, op === "remove" ? undefined : coerce(sub, value));
  set(holder, attribute, Object.keys(kept).length > 0 ? kept : undefined);
}

function applyMultiValued(holder: Fields, { op, target, value }: Change, attribute: Attribute): void {
  const before = holder[attribute.name];
  const list = Array.isArray(before) ? before : [];
  const next =
    target.filter === null && target.sub === null
      ? changeList(list, op, attribute, value)
      : changeElements(list, op, attribute, target, value);
  set(holder, attribute, next.length > 0 ? next : undefined);
}

/** Changes a list as a whole: adds values, replaces all, or removes all or the named ones. */
function changeList(list: Json[], op: Change["op"], attribute: Attribute, value: Json | undefined): Json[] {
  const read = coerce(attribute, value);
  const given = Array.isArray(read) ? read : [];
  if (op === "replace") return given;
  if (op === "remove")
    return value === undefined || value === null ? [] : list.filter((each) => !given.some((one) => isSame(each, one)));
  const result = [...list];
  for (const one of given) {
    const at = result.findIndex((each) => isSame(each, one));
    if (at === -1) result.push(one);
    else result[at] = merge(result[at]!, one);
    onePrimary(result, at === -1 ? one : result[at]);
  }
  return result;
}

/** Whether two values of a list are the same one: by value and type, or in all they say. */
function isSame(left: Json, right: Json): boolean {
  if (!isFields(left) || !isFields(right)) return left === right;
  if ("value" in right)
    return left["value"] === right["value"] && (right["type"] === undefined || left["type"] === right["type"]);
  return Object.entries(right).every(([name, value]) => left[name] === value);
}

const merge = (into: Json, from: Json): Json => (isFields(into) && isFields(from) ? Object.assign(into, from) : from);

/**
 * Changes the values that a filter selects, or all of them. If there is none, add and replace create it. A replace of
 * whole values keeps nothing of them (RFC 7644 section 3.5.2.3) but what the filter says.
 */
function changeElements(
  list: Json[],
  op: Change["op"],
  attribute: Attribute,
  { filter, sub: subName }: Target,
  value: Json | undefined,
): Json[] {
  const selected = list.filter((each) => filter === null || elementMatches(filter, attribute, each));
  const sub = subName === null ? null : findAttribute(attribute.subAttributes, subName);
  if (sub === undefined) return list;
  if (op === "remove") {
    if (!sub) return list.filter((each) => !selected.includes(each));
    for (const each of selected) if (isFields(each)) delete each[sub.name];
    return list.filter((each) => !isFields(each) || Object.keys(each).length > 0);
  }
  const read = sub ? coerce(sub, value) : coerceOne(attribute, Array.isArray(value) ? value[0] : value);
  // Clearing a part that is not there creates nothing.
  if (read === undefined || read === "")
    return changeElements(list, "remove", attribute, { filter, sub: subName } as Target, undefined);
  const result = [...list];
  const targets = selected.length > 0 ? selected : [createFrom(filter, attribute)];
  if (selected.length === 0) result.push(targets[0]!);
  for (const each of targets) {
    if (!isFields(each)) continue;
    if (sub) each[sub.name] = read;
    else if (op === "replace") {
      for (const name of Object.keys(each)) delete each[name];
      Object.assign(each, createFrom(filter, attribute), read);
    } else merge(each, read);
    onePrimary(result, each);
  }
  return result;
}

/**
 * Creates the value that a filter of eq conditions describes, as for emails[type eq "work"].value of a user without a
 * work address.
 */
function createFrom(filter: Filter | null, attribute: Attribute): Fields {
  const result = fields();
  const take = (each: Filter): void => {
    if (each.op === "and") each.of.forEach(take);
    if (each.op !== "eq" || each.value === null) return;
    const sub = findAttribute(attribute.subAttributes, each.name);
    const read = sub && coerce(sub, each.value);
    if (read !== undefined) result[sub!.name] = read;
  };
  if (filter) take(filter);
  return result;
}

/** Changes an attribute of an unknown extension. An add appends to a list; every other value is set. */
function applyFree(holder: Fields, { op, target, value }: Change, name: string): void {
  if (target.sub !== null && !isSafeName(target.sub)) return;
  if (target.filter !== null) {
    const list = holder[name];
    if (op !== "remove" || !Array.isArray(list)) return;
    const filter = target.filter;
    holder[name] = list.filter((each) => !elementMatches(filter, null, each));
    return;
  }
  const inner = target.sub === null ? holder : isFields(holder[name]) ? holder[name] : (holder[name] = fields());
  const key = target.sub ?? name;
  if (op === "remove" || value === undefined || value === null || value === "") delete inner[key];
  else {
    const before = inner[key];
    inner[key] = op === "add" && Array.isArray(before) ? [...before, ...listOf(free(value))] : free(value);
  }
}

const listOf = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);
