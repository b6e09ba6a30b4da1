import { Unverifiable } from "../failure";
import { toDataset } from "../json-ld/canonicalise";
import type { JsonObject } from "../json";
import { failed, type StandardCheck } from "./check";

const name = "vocabulary";
export const vocabularyPassed: StandardCheck = {
  name,
  outcome: "pass",
  detail: "Every term is one that its vocabularies define.",
};

/**
 * Checks that every term is defined by the credential's contexts. A suite over RDF covers nothing else; a JWT covers
 * all, but what an undefined term means nobody can say (VC-JOSE-COSE 1.0 has such credentials refused).
 */
export async function checkVocabulary({ proof: _, ...document }: JsonObject): Promise<StandardCheck> {
  try {
    await toDataset(document);
    return vocabularyPassed;
  } catch (error) {
    // Signed all the same, where the signature does not depend on it.
    if (error instanceof Unverifiable) return { name, outcome: "skipped", detail: error.message };
    return failed(name, error, "malformed");
  }
}
