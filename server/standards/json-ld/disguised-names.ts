import { isObject, listOf, type Json, type JsonObject } from "../json";
import { inFull, inlineContexts, jsonTerms, targetsOf } from "./inline-contexts";
import { termOf } from "./vocabulary";

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

/** What verification reads of schema.org, by its name there, which the contexts of Open Badges keep. */
const schema = "https://schema.org/";
const readOfSchema = ["name", "description", "value", "genre", "audience"];

/** Classes of Open Badges that have the IRI of a property in one of its contexts, and can so be written in its place. */
const classes = ["Achievement", "Address", "Criteria", "GeoCoordinates", "Image", "Profile"];

/** Keywords of JSON-LD that change no name. Of all others the contexts of credentials have plain names, such as id. */
const plainKeywords = ["@context", "@value", "@language", "@direction"];

/**
 * Returns how a JSON-LD document states something under another name than the one that verification reads. A Data
 * Integrity proof of the kind rdfc signs the graph, in which `credentialStatus` is an IRI. The holder of a revoked
 * credential could replace the name by the IRI: the signature would stay valid, but nobody would find the status.
 * Refused are keys that are IRIs, keywords or classes. Also refused are contexts within the document that rename a
 * keyword, give a second name to anything that verification reads, or build names from foreign prefixes.
 *
 * @returns sentences, at most 5
 */
export function disguisedNames(document: JsonObject): string[] {
  const found = new Set<string>();
  const open: Json[] = [document];
  while (open.length > 0 && found.size < 5) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...value);
    if (!isObject(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "@context") continue;
      const isDisguisedKey =
        key.includes(":") || classes.includes(key) || (key.startsWith("@") && !plainKeywords.includes(key));
      if (isDisguisedKey)
        found.add(`${shown(key)} must be written by the plain name that the contexts of credentials give it.`);
      if (!jsonTerms.includes(key) && inner !== undefined) open.push(inner);
    }
  }
  for (const problem of contextProblems(inlineContexts(document))) found.add(problem);
  return [...found].slice(0, 5);
}

function contextProblems(contexts: readonly JsonObject[]): string[] {
  const targets = targetsOf(contexts);
  return contexts.flatMap((context) =>
    Object.entries(context).flatMap(([term, definition]) => {
      if (term.startsWith("@"))
        return isWideVocabulary(term, definition, targets) ? [`A context of the document must not set ${term}.`] : [];
      return isDisguise(term, definition, targets)
        ? [`A context of the document must not give the name ${shown(term)} to what has a name already.`]
        : [];
    }),
  );
}

/** Whether a setting of a context can make names of what verification reads out of other ones. */
function isWideVocabulary(keyword: string, value: Json | undefined, targets: ReadonlyMap<string, string>): boolean {
  if (keyword === "@base" || keyword === "@import") return true;
  if (keyword !== "@vocab" || value === null) return false;
  const iri = typeof value === "string" ? inFull(value, targets) : null;
  if (iri === null || read.some((namespace) => iri.startsWith(namespace) || namespace.startsWith(iri))) return true;
  return iri !== schema && readOfSchema.some((name) => `${schema}${name}`.startsWith(iri));
}

function isDisguise(term: string, definition: Json | undefined, targets: ReadonlyMap<string, string>): boolean {
  if (isObject(definition)) {
    if (definition["@reverse"] !== undefined || definition["@nest"] !== undefined) return true;
    if (listOf(definition["@container"]).includes("@graph")) return true;
  }
  const target = isObject(definition) ? definition["@id"] : definition;
  if (typeof target !== "string") return false;
  if (target.startsWith("@")) return true;
  const iri = inFull(target, targets);
  if (iri !== null && typeof definition === "string" && termOf(iri) === term) return false;
  if (iri === null || read.some((namespace) => iri.startsWith(namespace))) return true;
  // A map by index or language would hide the text from readers of the document.
  const isMap = isObject(definition) && listOf(definition["@container"]).some((kind) => kind !== "@set");
  return readOfSchema.some((name) => iri === `${schema}${name}` && (term !== name || isMap));
}

const shown = (name: string) => JSON.stringify(name.slice(0, 100));
