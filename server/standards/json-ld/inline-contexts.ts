import { isObject, listOf, type Json, type JsonObject } from "../json";

/** Terms whose value is JSON and not a part of the graph (VCDM 2.0, appendix B). */
export const jsonTerms = ["jsonSchema"];

/** The contexts that a document states itself, at any depth, with those in the definitions of their terms. */
export function inlineContexts(document: JsonObject): JsonObject[] {
  const stated: JsonObject[] = [];
  const open: Json[] = [document];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...value);
    if (!isObject(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "@context") stated.push(...listOf(inner).filter(isObject));
      else if (!jsonTerms.includes(key) && inner !== undefined) open.push(inner);
    }
  }
  return withScoped(stated);
}

function withScoped(contexts: readonly JsonObject[]): JsonObject[] {
  const all: JsonObject[] = [];
  const open = [...contexts];
  while (open.length > 0) {
    const context = open.pop()!;
    all.push(context);
    // JSON-LD reads a context within a context, {"@context": {"@context": {…}}}, as that context.
    open.push(...listOf(context["@context"]).filter(isObject));
    for (const definition of Object.values(context))
      if (isObject(definition)) open.push(...listOf(definition["@context"]).filter(isObject));
  }
  return all;
}

/** What the terms of contexts stand for, by term. */
export function targetsOf(contexts: readonly JsonObject[]): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const context of contexts)
    for (const [term, definition] of Object.entries(context)) {
      const target = isObject(definition) ? definition["@id"] : definition;
      if (typeof target === "string") targets.set(term, target);
    }
  return targets;
}

/** The IRI that a name stands for; null where it begins with a prefix that the document does not define. */
export function inFull(name: string, targets: ReadonlyMap<string, string>): string | null {
  let iri = name;
  for (let steps = 0; steps < 10; steps++) {
    const [, prefix, rest] = /^([^:]*):(.*)$/su.exec(iri) ?? [];
    if (prefix === undefined || rest === undefined) return null;
    if (rest.startsWith("//")) return iri;
    const known = targets.get(prefix);
    if (known === undefined) return ["urn", "did", "tag"].includes(prefix) ? iri : null;
    iri = known + rest;
  }
  return null;
}

/**
 * Returns how the ids of a document are read: in full, because an id may begin with a prefix that the document defines,
 * and two spellings of one id name one thing.
 */
export function idReader(document: JsonObject): (id: Json | undefined) => string | undefined {
  const targets = targetsOf(inlineContexts(document));
  return (id) => (typeof id === "string" ? (inFull(id, targets) ?? id) : undefined);
}
