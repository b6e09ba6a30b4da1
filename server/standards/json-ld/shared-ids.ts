import { isObject, listOf, type Json, type JsonObject } from "../json";
import { idReader } from "./inline-contexts";

type ReadId = ReturnType<typeof idReader>;

/**
 * Finds the ids that several node objects of a document have while what they state differs. To a signature over RDF,
 * node objects with one id are one node: whoever holds the file can move what they state from one to the other, and the
 * signature still holds.
 */
export function sharedIds(document: JsonObject): string[] {
  const read = idReader(document);
  const nodes = new Map<string, JsonObject[]>();
  for (const { id, node } of nodesWithIds(document, read)) nodes.set(id, [...(nodes.get(id) ?? []), node]);
  return [...nodes].filter(([, alike]) => alike.length > 1 && differ(alike, read)).map(([id]) => id);
}

/** A node object with an id, and where it stands: the names of the properties that lead to it, joined by dots. */
export interface PlacedNode {
  id: string;
  node: JsonObject;
  place: string;
}

/** Finds the node objects of a document that have an id, at any depth. */
export function nodesWithIds(value: Json | undefined, read: ReadId, place = ""): PlacedNode[] {
  if (Array.isArray(value)) return value.flatMap((each) => nodesWithIds(each, read, place));
  if (!isObject(value)) return [];
  const id = read(idIn(value));
  return [
    ...(id === undefined ? [] : [{ id, node: value, place }]),
    ...Object.entries(value).flatMap(([name, each]) =>
      isSkipped(name) ? [] : nodesWithIds(each, read, place === "" ? name : `${place}.${name}`),
    ),
  ];
}

/** Proofs and contexts state nothing of the document's things. */
const isSkipped = (name: string): boolean => name === "proof" || name === "@context";

const idIn = (node: JsonObject): Json | undefined => node["id"] ?? node["@id"];

function differ(nodes: JsonObject[], read: ReadId): boolean {
  const stated = nodes.map((node) => JSON.stringify([...propertiesOf(node, read)].toSorted()));
  return new Set(stated).size > 1;
}

/** What a node object states, by property. Another node with an id is known by it, in full or in short. */
function propertiesOf(node: JsonObject, read: ReadId): Map<string, string> {
  const names = Object.keys(node).filter((name) => !isSkipped(name) && name !== "id" && name !== "@id");
  const known = (value: Json): Json => (isObject(value) ? (read(idIn(value)) ?? value) : value);
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
