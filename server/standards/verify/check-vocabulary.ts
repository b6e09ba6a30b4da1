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
 * Checks that the credential's contexts define every term. A signature over RDF covers only defined terms. A JWT covers
 * all, but an undefined term has no meaning, and VC-JOSE-COSE 1.0 requires to refuse such credentials.
 */
export async function checkVocabulary({ proof: _, ...document }: JsonObject): Promise<StandardCheck> {
  try {
    await toDataset(document);
    return vocabularyPassed;
  } catch (error) {
    // A context is not bundled. A signature that does not depend on contexts is still valid, so the check is skipped.
    if (error instanceof Unverifiable) return { name, outcome: "skipped", detail: error.message };
    return failed(name, error, "malformed");
  }
}
