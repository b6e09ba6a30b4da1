import { signEd25519, verifyEd25519 } from "./ed25519";
import { rdfcHash } from "./rdfc-hash";
import type { Suite } from "./suite";

/** Data Integrity EdDSA 1.0, section 3.2. */
export const eddsaRdfc2022: Suite = {
  name: "eddsa-rdfc-2022",
  keyKinds: ["ed25519"],
  hash: (unsigned) => rdfcHash(unsigned),
  sign: signEd25519,
  verify: verifyEd25519,
};
