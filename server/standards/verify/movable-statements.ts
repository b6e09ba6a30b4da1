import { isObject, listOf, type Json, type JsonObject } from "../json";
import { idReader } from "../json-ld/inline-contexts";
import { nodesWithIds, type PlacedNode } from "../json-ld/shared-ids";

const achievement = "credentialSubject.achievement";
const ofCredential = [
  "name",
  "description",
  "issuer",
  "credentialSubject",
  "credentialStatus",
  "credentialSchema",
  "evidence",
  "validFrom",
  "validUntil",
  "issuanceDate",
  "expirationDate",
  "awardedDate",
  "refreshService",
  "relatedResource",
  "termsOfUse",
];
/** What decides about a credential and what people read of it (VCDM, Open Badges 3.0), by the place where it stands. */
const readAt = new Map<string, readonly string[]>([
  ["", ofCredential],
  ["credentialSubject", ["name", "identifier", "achievement", "result", "creditsEarned"]],
  ["credentialSubject.result", ["value", "status", "achievedLevel", "resultDescription"]],
  [
    achievement,
    ["name", "description", "criteria", "fieldOfStudy", "specialization", "humanCode", "resultDescription"],
  ],
  [`${achievement}.criteria`, ["narrative"]],
  [`${achievement}.resultDescription`, ["name", "rubricCriterionLevel"]],
  [`${achievement}.resultDescription.rubricCriterionLevel`, ["name"]],
  ["evidence", ["name", "narrative", "description", "genre"]],
]);

/** Who has one id in two of these places is one person or organisation, and has one name. */
const parties = ["issuer", "credentialSubject", `${achievement}.creator`];

/**
 * Finds an id used twice in a badge where a property stated at one place is read at the other, with another value or none
 * there: criteria and evidence with one address, the end of a credential in an endorsement of it, or a result in the
 * second of two subjects with one id. A signature over RDF covers what is stated of an id, and not in which place:
 * whoever holds the file can move it from one to the other. An id of a blank node is no part of the graph, so whoever
 * holds the file can name any part by one.
 */
export function movableId(document: JsonObject): string | undefined {
  const read = idReader(document);
  const groups = new Map<string, PlacedNode[]>();
  for (const each of [...nodesWithIds(document, read), ...references(document, read)])
    groups.set(each.id, [...(groups.get(each.id) ?? []), each]);
  return [...groups].find(([id, nodes]) => id.startsWith("_:") || areMovable(nodes))?.[0];
}

const areMovable = (nodes: PlacedNode[]): boolean =>
  nodes.some((here) => nodes.some((there) => isMovable(here, there)));

/** Whether something is stated `there` that is read `here`, and not stated here too. */
const isMovable = (here: PlacedNode, there: PlacedNode): boolean =>
  (readAt.get(here.place) ?? []).some(
    (name) =>
      there.node[name] !== undefined &&
      !isSame(here.node[name], there.node[name]) &&
      !(name === "name" && parties.includes(here.place) && parties.includes(there.place)),
  );

const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  JSON.stringify(listOf(a)) === JSON.stringify(listOf(b));

/** The texts in places where something is read: each is the id of a thing that stands elsewhere. */
function references(document: JsonObject, read: ReturnType<typeof idReader>): PlacedNode[] {
  return [...readAt.keys()].flatMap((place) =>
    valuesAt(document, place === "" ? [] : place.split(".")).flatMap((value) => {
      const id = read(value);
      return id === undefined ? [] : [{ id, node: {}, place }];
    }),
  );
}

function valuesAt(value: Json, [name, ...rest]: string[]): Json[] {
  if (name === undefined) return [value];
  return isObject(value) ? listOf(value[name]).flatMap((each) => valuesAt(each, rest)) : [];
}
