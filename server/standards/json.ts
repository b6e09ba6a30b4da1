/** JSON as JSON.parse gives it. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json | undefined;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The values of a property as a list: JSON-LD may write a list of one as the value itself. Empty if absent. */
export function listOf(value: Json | undefined): Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The text of a property; undefined if it is absent or not a text. */
export const textOf = (value: Json | undefined): string | undefined => (typeof value === "string" ? value : undefined);

const maxDepth = 32;
/** Limited because JSON-LD compares the values of a property pairwise. A transcript of 200 courses has about 4,000. */
export const maxValues = 10_000;
const maxList = 1_000;
const maxContexts = 16;
const maxTerms = 200;
const maxScoped = 4;

/**
 * Says in one sentence why a document is too complex to process; null if it is not. JSON-LD and canonicalisation
 * recurse and multiply, so untrusted documents are bounded before either runs.
 */
export function boundsProblem(document: unknown): string | null {
  const seen = { values: 0, contexts: 0, terms: 0, scoped: 0 };
  return problemIn(document, 0, seen) ?? null;
}

type Seen = Record<"values" | "contexts" | "terms" | "scoped", number>;

function problemIn(value: unknown, depth: number, seen: Seen): string | undefined {
  if (++seen.values > maxValues) return `The document has more than ${maxValues.toLocaleString("en")} values.`;
  if (typeof value !== "object" || value === null) return undefined;
  if (depth >= maxDepth) return `The document is more than ${maxDepth} levels deep.`;
  if (Array.isArray(value)) {
    if (value.length > maxList) return `The document has a list of more than ${maxList.toLocaleString("en")} values.`;
    return firstOf(value, (inner) => problemIn(inner, depth + 1, seen));
  }
  // A library that copies this property into another object changes that object's prototype, and so adds claims that
  // nobody signed.
  if (Object.hasOwn(value, "__proto__")) return "The document has a property __proto__.";
  for (const name in value) {
    const inner = (value as JsonObject)[name];
    const problem =
      (name === "@context" ? contextProblem(inner, seen) : undefined) ?? problemIn(inner, depth + 1, seen);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Bounds contexts that are embedded in the document: they are processed again for each object that they apply to. */
function contextProblem(context: Json | undefined, seen: Seen): string | undefined {
  for (const each of listOf(context)) {
    if (++seen.contexts > maxContexts) return `The document has more than ${maxContexts} contexts.`;
    if (!isObject(each)) continue;
    for (const name in each) {
      const definition = each[name];
      if (++seen.terms > maxTerms) return `The document defines more than ${maxTerms} terms itself.`;
      if (isObject(definition) && Object.hasOwn(definition, "@context") && ++seen.scoped > maxScoped)
        return `The document defines more than ${maxScoped} contexts of single terms.`;
    }
  }
  return undefined;
}

function firstOf(values: Json[], problem: (value: Json) => string | undefined): string | undefined {
  for (const value of values) {
    const found = problem(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
