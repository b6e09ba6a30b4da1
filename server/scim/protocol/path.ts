import { badRequest } from "./error";
import { parseFilterOf, type Filter } from "./filter";
import { extensionOf, extensionWith, findAttribute, type Attribute, type ResourceSchema } from "./schemas";

/** The attribute that a path of a PATCH, a filter or a projection names. */
export interface Target {
  /** Its attributes; null for an unknown extension. */
  urn: string | null;
  /** Its attributes; null for an unknown extension. */
  attributes: readonly Attribute[] | null;
  /** The attribute as it was named, in its canonical form where it is known; null for a whole extension. */
  name: string | null;
  attribute: Attribute | null;
  /** The value filter of emails[type eq "work"]. */
  filter: Filter | null;
  /** The sub-attribute, in its canonical form where it is known. */
  sub: string | null;
}

const longestPath = 1_000;
const segment = /^[A-Za-z$_][\w$-]*/;

/**
 * The facts that distinguish an extension from its attributes if a path begins with the URN of an unknown extension.
 */
export interface UrnHints {
  /** The URNs of extensions that the resource has. */
  extensions?: readonly string[];
  /** Whether the value for the path is an object, like that of a whole extension. */
  isObject?: boolean;
}

/**
 * Reads a path (RFC 7644 section 3.5.2): attribute, attribute.sub, attribute[filter], attribute[filter].sub, each also
 * behind a URN. Spaces around its parts are accepted.
 * @throws ScimError invalidPath
 */
export function readPath(schema: ResourceSchema, path: string, hints: UrnHints = {}): Target {
  const trimmed = path.trim();
  if (trimmed === "" || trimmed.length > longestPath || trimmed.includes("\0") || !trimmed.isWellFormed())
    throw invalid();
  const { urn, attributes, rest } = splitUrn(schema, trimmed, hints);
  if (rest === "") return { urn, attributes, name: null, attribute: null, filter: null, sub: null };
  const named = segment.exec(rest)?.[0];
  if (named === undefined) throw invalid();
  const attribute = (attributes && findAttribute(attributes, named)) ?? null;
  let left = rest.slice(named.length).trimStart();
  let filter: Filter | null = null;
  if (left.startsWith("[")) {
    const end = closingBracket(left);
    filter = parseFilterOf(left.slice(1, end));
    left = left.slice(end + 1).trimStart();
  }
  let sub: string | null = null;
  if (left.startsWith(".")) {
    const found = segment.exec(left.slice(1).trimStart())?.[0];
    if (found === undefined || left.slice(1).trim() !== found) throw invalid();
    sub = (attribute && findAttribute(attribute.subAttributes, found)?.name) ?? found;
  } else if (left !== "") throw invalid();
  return { urn, attributes, name: attribute?.name ?? named, attribute, filter, sub };
}

const invalid = () =>
  badRequest("invalidPath", "The path is not of the form attribute, attribute.sub or attribute[filter].sub.");

/** Removes the URN from a path, or finds it (extensionWith). The URN of the schema itself is ignored. */
function splitUrn(
  schema: ResourceSchema,
  path: string,
  { extensions = [], isObject = false }: UrnHints,
): { urn: string | null; attributes: readonly Attribute[] | null; rest: string } {
  if (!path.toLowerCase().startsWith("urn:")) {
    const extension = extensionWith(schema, segment.exec(path)?.[0] ?? "");
    return { urn: extension?.urn ?? null, attributes: extension?.attributes ?? schema.core, rest: path };
  }
  const lower = path.toLowerCase();
  for (const { urn, attributes } of [{ urn: schema.urn, attributes: null }, ...schema.extensions]) {
    if (lower !== urn.toLowerCase() && !lower.startsWith(`${urn.toLowerCase()}:`)) continue;
    const rest = path.slice(urn.length + 1).trim();
    return attributes ? { urn, attributes, rest } : { urn: null, attributes: schema.core, rest };
  }
  const unknown = (urn: string) => ({ ...extensionOf(schema, urn), rest: path.slice(urn.length + 1).trim() });
  // If one URN begins with another one, the longest matches.
  const own = extensions
    .filter((urn) => lower === urn.toLowerCase() || lower.startsWith(`${urn.toLowerCase()}:`))
    .toSorted((one, other) => other.length - one.length)[0];
  if (own !== undefined) return { ...unknown(path.slice(0, own.length)), urn: own };
  const named = schemaUrn.exec(path)?.[0];
  if (named !== undefined) return unknown(named);
  if (isObject && !/[[\]]/.test(path)) return unknown(path);
  // In any other URN, the attribute is the part after the last colon before a bracket.
  const end = path.includes("[") ? path.indexOf("[") : path.length;
  return unknown(path.slice(0, path.lastIndexOf(":", end)));
}

/** The URN of a schema by the pattern of RFC 7643 section 10.2.1: it ends with a version and a kind of resource. */
const schemaUrn = /^urn:\S*?:\d+\.\d+:(?:User|Group)(?=:|$)/i;

/** The bracket that closes the first one, outside of texts. */
function closingBracket(text: string): number {
  let quoted = false;
  for (let i = 1; i < text.length; i++) {
    if (text[i] === '"') quoted = !quoted;
    else if (quoted && text[i] === "\\") i++;
    else if (!quoted && text[i] === "]") return i;
  }
  throw invalid();
}
