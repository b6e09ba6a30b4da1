import { isObject, listOf, type Json, type JsonObject } from "../json";

/**
 * Namespaces of what verification reads: the data model, its statuses and proofs, Open Badges, and the types of RDF.
 */
const read = [
  "https://www.w3.org/2018/credentials",
  "https://www.w3.org/ns/credentials",
  "https://w3id.org/security",
  "https://w3id.org/vc",
  "https://purl.imsglobal.org/spec/",
  "http://www.w3.org/1999/02/22-rdf-syntax-ns",
];

/** Keywords of JSON-LD that change no name. Of all others the contexts of credentials have plain names, such as id. */
const plainKeywords = ["@context", "@value", "@language", "@direction"];

/** Terms whose value is JSON and not a part of the graph (VCDM 2.0, appendix B). */
const jsonTerms = ["jsonSchema"];

/**
 * Returns how a JSON-LD document says something under another name than the one that verification reads. A Data
 * Integrity proof of the kind rdfc signs the graph, in which `credentialStatus` is an IRI: whoever holds a revoked
 * credential could write the IRI in place of the name, and the signature would hold while nobody finds the status.
 *
 * Refused are keys that are IRIs or keywords; and contexts within the document that give a name to a keyword, or a
 * second name to anything that verification reads, or build names from prefixes that are not theirs.
 * @returns sentences, at most 5
 */
export function disguisedNames(document: JsonObject): string[] {
  const found = new Set<string>();
  const contexts: JsonObject[] = [];
  const open: Json[] = [document];
  while (open.length > 0 && found.size < 5) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...value);
    if (!isObject(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "@context") contexts.push(...listOf(inner).filter(isObject));
      else if (key.includes(":") || (key.startsWith("@") && !plainKeywords.includes(key)))
        found.add(`${shown(key)} must be written by the plain name that the contexts of credentials give it.`);
      if (key !== "@context" && !jsonTerms.includes(key) && inner !== undefined) open.push(inner);
    }
  }
  for (const problem of contextProblems(contexts)) found.add(problem);
  return [...found].slice(0, 5);
}

function contextProblems(contexts: readonly JsonObject[]): string[] {
  const all = withScoped(contexts);
  const targets = new Map<string, string>();
  for (const context of all)
    for (const [term, definition] of Object.entries(context)) {
      const target = isObject(definition) ? definition["@id"] : definition;
      if (typeof target === "string") targets.set(term, target);
    }
  return all.flatMap((context) =>
    Object.entries(context).flatMap(([term, definition]) => {
      if (term.startsWith("@"))
        return isWideVocabulary(term, definition, targets) ? [`A context of the document must not set ${term}.`] : [];
      return isDisguise(definition, targets)
        ? [`A context of the document must not give the name ${shown(term)} to what has a name already.`]
        : [];
    }),
  );
}

/** The contexts with those that stand in the definitions of their terms. */
function withScoped(contexts: readonly JsonObject[]): JsonObject[] {
  const all: JsonObject[] = [];
  const open = [...contexts];
  while (open.length > 0) {
    const context = open.pop()!;
    all.push(context);
    for (const definition of Object.values(context))
      if (isObject(definition)) open.push(...listOf(definition["@context"]).filter(isObject));
  }
  return all;
}

/** Whether a setting of a context can make names of what verification reads out of other ones. */
function isWideVocabulary(keyword: string, value: Json | undefined, targets: ReadonlyMap<string, string>): boolean {
  if (keyword === "@base" || keyword === "@import") return true;
  if (keyword !== "@vocab" || value === null) return false;
  const iri = typeof value === "string" ? inFull(value, targets) : null;
  return iri === null || read.some((namespace) => iri.startsWith(namespace) || namespace.startsWith(iri));
}

function isDisguise(definition: Json | undefined, targets: ReadonlyMap<string, string>): boolean {
  if (isObject(definition)) {
    if (definition["@reverse"] !== undefined || definition["@nest"] !== undefined) return true;
    if (listOf(definition["@container"]).includes("@graph")) return true;
  }
  const target = isObject(definition) ? definition["@id"] : definition;
  if (typeof target !== "string") return false;
  if (target.startsWith("@")) return true;
  const iri = inFull(target, targets);
  return iri === null || read.some((namespace) => iri.startsWith(namespace));
}

/** The IRI that a term stands for; null where it begins with a prefix that the document does not define. */
function inFull(target: string, targets: ReadonlyMap<string, string>): string | null {
  let iri = target;
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

const shown = (name: string) => JSON.stringify(name.slice(0, 100));
