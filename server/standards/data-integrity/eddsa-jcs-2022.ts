import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { Invalid } from "../failure";
import { listOf, type JsonObject } from "../json";
import { signEd25519, verifyEd25519 } from "./ed25519";
import type { Suite } from "./suite";

/** Data Integrity EdDSA 1.0, section 3.3: the JSON Canonicalization Scheme (RFC 8785) instead of RDF. */
export const eddsaJcs2022: Suite = {
  name: "eddsa-jcs-2022",
  keyKinds: ["ed25519"],
  async hash({ document, options }) {
    refuseOtherContext(document, options);
    const context = options["@context"];
    const bound = context === undefined ? document : { ...document, "@context": context };
    return Buffer.concat([options, bound].map((part) => hash("sha256", canonicalJson(part), "buffer")));
  },
  sign: signEd25519,
  verify: verifyEd25519,
};

/** The contexts of the proof are signed, so the document's contexts must begin with them (section 3.3.2, step 4). */
function refuseOtherContext(document: JsonObject, options: JsonObject): void {
  const [signed, present] = [listOf(options["@context"]), listOf(document["@context"])];
  if (signed.some((context, i) => JSON.stringify(context) !== JSON.stringify(present[i])))
    throw new Invalid("The contexts of the proof are not those with which the document begins.");
}

function canonicalJson(value: JsonObject): string {
  try {
    return canonicalize(value)!;
  } catch (error) {
    throw new Invalid("The document has no canonical JSON form.", { cause: error });
  }
}
