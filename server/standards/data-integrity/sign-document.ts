import type { KeyObject } from "node:crypto";
import type { ProofPurpose } from "../did/did-document";
import { encodeBase58 } from "../encoding/multibase";
import { keyKindOf } from "../encoding/multikey";
import { Invalid } from "../failure";
import { listOf, type JsonObject } from "../json";
import type { Proof } from "./proof";
import type { Suite } from "./suite";

/** The key of an issuer or holder, and where others find its public part. */
export interface Signer {
  privateKey: KeyObject;
  /** The DID URL under which others find the public key. */
  verificationMethod: string;
}

interface ProofOptions {
  created: Date;
  purpose?: ProofPurpose;
  challenge?: string;
  domain?: string | string[];
}

/** The options of a proof, in the order in which they are written. `created` is cut to whole seconds. */
export function proofOptions(
  suite: Suite,
  verificationMethod: string,
  { created, purpose = "assertionMethod", challenge, domain }: ProofOptions,
): JsonObject {
  return {
    type: "DataIntegrityProof",
    cryptosuite: suite.name,
    created: secondsOf(created),
    verificationMethod,
    proofPurpose: purpose,
    ...(challenge !== undefined && { challenge }),
    ...(domain !== undefined && { domain }),
  };
}

export const secondsOf = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

/**
 * Adds a Data Integrity proof to a document (VC Data Integrity 1.0, section 4.2), after those that it has. `proof` is
 * always a list, even of one proof: 1EdTech's schema of Open Badges requires that, and all verifiers accept it.
 * @throws Invalid if the document cannot be signed, for example because no context defines a term, or if the suite does
 *   not sign with keys of this kind
 */
export async function signDocument(
  { proof: earlier, ...document }: JsonObject,
  suite: Suite,
  { privateKey, verificationMethod }: Signer,
  given: ProofOptions,
): Promise<JsonObject & { proof: Proof[] }> {
  if (!suite.sign) throw new TypeError(`Nothing is signed with ${suite.name} here.`);
  const kind = keyKindOf(privateKey);
  if (!kind || !suite.keyKinds.includes(kind))
    throw new Invalid(`${suite.name} does not sign with a key of this kind.`);
  // The JCS suite needs the contexts in the options; the RDFC suites add them themselves.
  const context = suite.name.includes("-jcs-") ? { "@context": document["@context"] } : {};
  const options = { ...context, ...proofOptions(suite, verificationMethod, given) };
  const signature = suite.sign(await suite.hash({ document, options }, privateKey), privateKey);
  const proof = { ...options, proofValue: encodeBase58(signature) };
  return { ...document, proof: [...listOf(earlier), proof] as Proof[] };
}
