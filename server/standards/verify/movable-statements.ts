import { isObject, listOf, textOf, type Json, type JsonObject } from "../json";

/** What people read of the parts of a badge (Open Badges 3.0), by part. */
const told = {
  credential: ["name", "description"],
  subject: ["name"],
  achievement: ["name", "description", "fieldOfStudy", "specialization", "humanCode"],
  criteria: ["narrative"],
  evidence: ["name", "narrative", "description", "genre"],
  resultDescription: ["name"],
  rubricLevel: ["name"],
} as const;
type Part = keyof typeof told;

/**
 * Finds an id under which two different parts of a badge stand, where people read one property of both and not both
 * state the same: criteria and evidence with one address, for example. A signature over RDF covers what is stated of
 * the id, and not in which of the two places: whoever holds the file can move it from one to the other.
 */
export function movableId(document: JsonObject): string | undefined {
  const places = new Map<string, [Part, JsonObject][]>();
  for (const [part, node] of partsOf(document)) {
    const id = textOf(node["id"]);
    if (id !== undefined) places.set(id, [...(places.get(id) ?? []), [part, node]]);
  }
  return [...places].find(([, nodes]) => areMovable(nodes))?.[0];
}

const areMovable = (nodes: [Part, JsonObject][]): boolean =>
  nodes.some(([part, node], at) =>
    nodes
      .slice(at + 1)
      .some(
        ([other, next]) =>
          other !== part &&
          told[part].some(
            (name) => (told[other] as readonly string[]).includes(name) && !isSame(node[name], next[name]),
          ),
      ),
  );

const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  JSON.stringify(listOf(a)) === JSON.stringify(listOf(b));

function partsOf(document: JsonObject): [Part, JsonObject][] {
  const subjects = nodesOf(document["credentialSubject"]);
  const achievements = subjects.flatMap(({ achievement }) => nodesOf(achievement));
  const results = achievements.flatMap(({ resultDescription }) => nodesOf(resultDescription));
  const parts: [Part, JsonObject[]][] = [
    ["credential", [document]],
    ["subject", subjects],
    ["achievement", achievements],
    ["criteria", achievements.flatMap(({ criteria }) => nodesOf(criteria))],
    ["evidence", nodesOf(document["evidence"])],
    ["resultDescription", results],
    ["rubricLevel", results.flatMap(({ rubricCriterionLevel }) => nodesOf(rubricCriterionLevel))],
  ];
  return parts.flatMap(([part, nodes]) => nodes.map((node): [Part, JsonObject] => [part, node]));
}

/** The nodes of a property. A text is the id of one that stands elsewhere. */
const nodesOf = (value: Json | undefined): JsonObject[] =>
  listOf(value).flatMap((each) => (isObject(each) ? [each] : typeof each === "string" ? [{ id: each }] : []));
