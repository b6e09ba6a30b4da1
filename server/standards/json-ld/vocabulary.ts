import { isObject, listOf, type Json, type JsonObject } from "../json";
import { bundledContexts } from "./contexts";

/** Vocabularies that stand for any term, as contexts for development define them. */
const openVocabularies = [
  "https://www.w3.org/ns/credentials/undefined-term#",
  "https://www.w3.org/ns/credentials/examples#",
];

const iris = new Map<string, Set<string>>();
const terms = new Map<string, string>();
for (const { "@context": context } of bundledContexts.values()) collect(context, {});

/** The IRIs that the bundled contexts give a term, in any version and for any type. */
export function irisOf(term: string): string[] {
  const known = [...(iris.get(term) ?? [])];
  // Many contexts of issuers name schema.org by http.
  const schema = known
    .filter((iri) => iri.startsWith("https://schema.org/"))
    .map((iri) => iri.replace("https:", "http:"));
  return [...new Set([...known, ...schema, ...openVocabularies.map((vocabulary) => vocabulary + term)])];
}

/** The term of the bundled contexts for the IRI of a type; the IRI itself if there is none. */
export function termOf(iri: string): string {
  const open = openVocabularies.find((vocabulary) => iri.startsWith(vocabulary));
  return open === undefined ? (terms.get(iri) ?? iri) : iri.slice(open.length);
}

function collect(context: Json | undefined, outer: JsonObject): void {
  for (const each of listOf(context)) {
    if (!isObject(each)) continue;
    const known = { ...outer, ...each };
    for (const [term, definition] of Object.entries(each)) {
      if (term.startsWith("@")) continue;
      const iri = inFull(definition, known);
      if (iri?.includes(":")) note(term, iri);
      if (isObject(definition)) collect(definition["@context"], known);
    }
  }
}

/** A type may have several terms, such as OpenBadgeCredential; the one in its IRI is its name. */
function note(term: string, iri: string): void {
  iris.set(term, (iris.get(term) ?? new Set()).add(iri));
  if (!terms.has(iri) || iri.endsWith(`#${term}`)) terms.set(iri, term);
}

function inFull(definition: Json | undefined, known: JsonObject): string | undefined {
  const target = isObject(definition) ? definition["@id"] : definition;
  if (typeof target !== "string") return undefined;
  const [, prefix, rest] = /^([^:]+):(?!\/\/)(.*)$/su.exec(target) ?? [];
  if (prefix === undefined) return Object.hasOwn(known, target) ? inFull(known[target], known) : target;
  const base = Object.hasOwn(known, prefix) ? inFull(known[prefix], known) : undefined;
  return base === undefined ? target : `${base}${rest}`;
}
