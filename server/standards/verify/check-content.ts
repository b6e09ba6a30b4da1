import { sharedIds } from "../json-ld/shared-ids";
import type { JsonObject } from "../json";
import type { StandardCheck } from "./check";
import { movableId } from "./movable-statements";

/**
 * Checks that a document with a signature over RDF says of each thing what its issuer said of it. Where two things have
 * one id and state different values of one property, whoever holds the file can swap these values, and the signature
 * still holds (decision 553). What one place states and is read at the other can be moved (decisions 483 and 590).
 * Returns undefined if neither is possible.
 */
export function checkContent(document: JsonObject): StandardCheck | undefined {
  const id = sharedIds(document, false)[0] ?? movableId(document);
  return id === undefined ? undefined : sharedId(id);
}

/** Says that what a document states of two things may have been swapped. */
export const sharedId = (id: string): StandardCheck => ({
  name: "content",
  outcome: "error",
  detail: `It names two different things by one id, ${id.slice(0, 300)}. The signature does not tell which statement is about which of them, so somebody may have moved or swapped them. Ask the issuer what it issued.`,
});
