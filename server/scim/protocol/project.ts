import { ScimError } from "./error";
import { readPath, type Target } from "./path";
import type { ResourceSchema } from "./schemas";
import { fields, isFields, isUrn, ownValue, type Fields, type Json } from "./values";

/** The attributes that an answer includes (RFC 7644 section 3.9). At most one of the two is given. */
export interface Projection {
  attributes: readonly string[] | null;
  excluded: readonly string[] | null;
}

export const everything: Projection = { attributes: null, excluded: null };

/** Attributes that are in every answer. */
const always = new Set(["schemas", "id"]);

/** Returns the attributes of a resource that the projection asks for. Unknown names are ignored. */
export function project(schema: ResourceSchema, resource: Fields, { attributes, excluded }: Projection): Fields {
  const extensions = Object.keys(resource).filter(isUrn);
  if (attributes) return only(resource, targetsOf(schema, attributes, extensions));
  return excluded ? without(resource, targetsOf(schema, excluded, extensions)) : resource;
}

/** Whether an answer includes the attribute at all, so that it must be read. */
export function asksFor({ attributes, excluded }: Projection, name: string): boolean {
  const lower = name.toLowerCase();
  const partsOf = (path: string) =>
    path
      .trim()
      .toLowerCase()
      .replace(/^urn:.*:/, "")
      .split(".");
  if (attributes) return attributes.some((path) => partsOf(path)[0] === lower);
  // Without one of its parts, an attribute is still answered.
  return !excluded?.some((path) => partsOf(path)[0] === lower && partsOf(path).length === 1);
}

function targetsOf(schema: ResourceSchema, names: readonly string[], extensions: string[]): Target[] {
  return names.flatMap((name) => {
    try {
      return [readPath(schema, name, { extensions })];
    } catch (error) {
      if (error instanceof ScimError) return [];
      throw error;
    }
  });
}

function only(resource: Fields, targets: Target[]): Fields {
  const result = fields();
  for (const name of always) if (resource[name] !== undefined) result[name] = resource[name];
  for (const { urn, name, sub } of targets) {
    if (urn !== null) {
      const extension = ownValue(resource, urn);
      if (!isFields(extension)) continue;
      const kept = isFields(result[urn]) ? result[urn] : fields();
      const value = name === null ? undefined : ownValue(extension, name);
      if (name === null) Object.assign(kept, extension);
      else if (value !== undefined) kept[name] = picked(value, sub);
      result[urn] = kept;
    } else if (name !== null) {
      const value = ownValue(resource, name);
      if (value !== undefined) result[name] = picked(value, sub);
    }
  }
  return result;
}

function picked(value: Json, sub: string | null): Json {
  if (sub === null) return value;
  if (Array.isArray(value)) return value.map((each) => picked(each, sub));
  const result = fields();
  const part = isFields(value) ? ownValue(value, sub) : undefined;
  if (part !== undefined) result[sub] = part;
  return result;
}

function without(resource: Fields, targets: Target[]): Fields {
  const result = fields(resource);
  for (const { urn, name, sub } of targets) {
    if (name === null || always.has(name)) {
      if (urn !== null) delete result[urn];
      continue;
    }
    if (urn === null) remove(result, name, sub);
    else if (isFields(result[urn])) {
      const extension = fields(result[urn]);
      remove(extension, name, sub);
      result[urn] = extension;
    }
  }
  return result;
}

function remove(holder: Fields, name: string, sub: string | null): void {
  if (sub === null) {
    delete holder[name];
    return;
  }
  const drop = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(drop);
    if (!isFields(value)) return value;
    const kept = fields(value);
    delete kept[sub];
    return kept;
  };
  if (holder[name] !== undefined) holder[name] = drop(holder[name]);
}
