import { isObject, listOf, type Json, type JsonObject } from "../json";

/**
 * Finds the ids that several node objects of a document have while what they state differs. To a signature over RDF,
 * node objects with one id are one node: whoever holds the file can move what they state from one to the other, and the
 * signature still holds.
 *
 * @param isStrict whether node objects differ that state different properties. Otherwise they differ only if they state
 *   different values of one property: documents of other issuers describe one thing twice, once in full and once in
 *   short.
 */
export function sharedIds(document: JsonObject, isStrict: boolean): string[] {
  const nodes = new Map<string, JsonObject[]>();
  collect(document, nodes);
  return [...nodes].filter(([, alike]) => alike.length > 1 && differ(alike, isStrict)).map(([id]) => id);
}

/** Proofs and contexts state nothing of the document's things. */
const isSkipped = (name: string): boolean => name === "proof" || name === "@context";

function collect(value: Json | undefined, nodes: Map<string, JsonObject[]>): void {
  if (Array.isArray(value)) for (const each of value) collect(each, nodes);
  if (!isObject(value)) return;
  const id = nodeId(value);
  if (id !== undefined) nodes.set(id, [...(nodes.get(id) ?? []), value]);
  for (const [name, each] of Object.entries(value)) if (!isSkipped(name)) collect(each, nodes);
}

function nodeId(node: JsonObject): string | undefined {
  const id = node["id"] ?? node["@id"];
  return typeof id === "string" ? id : undefined;
}

function differ(nodes: JsonObject[], isStrict: boolean): boolean {
  const stated = nodes.map(propertiesOf);
  if (isStrict) return new Set(stated.map((each) => JSON.stringify([...each].toSorted()))).size > 1;
  const values = new Map<string, string>();
  for (const [name, value] of stated.flatMap((each) => [...each])) {
    if (name !== "type" && values.has(name) && values.get(name) !== value) return true;
    values.set(name, value);
  }
  return false;
}

/** What a node object states, by property. Another node with an id is known by it, in full or in short. */
function propertiesOf(node: JsonObject): Map<string, string> {
  const names = Object.keys(node).filter((name) => !isSkipped(name) && name !== "id" && name !== "@id");
  const known = (value: Json): Json => (isObject(value) ? (nodeId(value) ?? value) : value);
  return new Map(
    names.map((name) => [
      name.replace(/^@type$/, "type"),
      JSON.stringify(
        listOf(node[name])
          .map((each) => JSON.stringify(known(each)))
          .toSorted(),
      ),
    ]),
  );
}
