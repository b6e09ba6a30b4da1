import { isObject, listOf, type Json, type JsonObject } from "@/server/standards/json";
import { sharedIds } from "@/server/standards/json-ld/shared-ids";

/** Members whose values identify another part of the document. */
const naming = new Set(["id", "resultDescription", "achievedLevel", "requiredLevel", "statusListCredential"]);

/**
 * Makes sure that no two parts of a badge's document have the same id (decision 553). Otherwise a person who has the
 * file could swap what it states about them. Addresses that people chose, for criteria and for evidence, are left out
 * if another part of the document has that id. Issuing refuses such an address, but a credential may be older than that
 * rule, and a reissue may state a later version of the achievement.
 *
 * @throws Error if two parts would still have one id; such a document must not be signed
 */
export function withDistinctIds(document: JsonObject): JsonObject {
  const taken = new Set<string>();
  const free = (node: JsonObject): JsonObject => {
    const { id, ...rest } = node;
    if (typeof id !== "string") return node;
    if (taken.has(id)) return rest;
    taken.add(id);
    return node;
  };
  const { evidence, credentialSubject, ...rest } = document;
  const subject = credentialSubject as JsonObject;
  const whole = subject["achievement"] as JsonObject;
  const { criteria, ...achievement } = whole;
  for (const each of [rest, { ...subject, achievement }]) addIds(each, taken);
  const stated = free(criteria as JsonObject);
  const result: JsonObject = {
    ...document,
    credentialSubject: {
      ...subject,
      // The standard requires criteria with content.
      achievement: { ...whole, criteria: Object.keys(stated).length > 0 ? stated : { narrative: whole["name"] } },
    },
  };
  // A piece of evidence that had only an address keeps only its type.
  const pieces = listOf(evidence)
    .filter(isObject)
    .map(free)
    .filter((piece) => Object.keys(piece).some((key) => key !== "type"));
  if (pieces.length > 0) result["evidence"] = pieces;
  else delete result["evidence"];
  const shared = sharedIds(result);
  if (shared.length > 0) throw new Error(`Two things of a badge have the id ${shared[0]}, so the badge is not signed.`);
  return result;
}

function addIds(value: Json | undefined, taken: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) addIds(each, taken);
  if (!isObject(value)) return;
  for (const [name, each] of Object.entries(value)) {
    if (naming.has(name) && typeof each === "string") taken.add(each);
    addIds(each, taken);
  }
}
