import * as vc from "@digitalbazaar/vc";
import { DataIntegrityProof } from "@digitalbazaar/data-integrity";
import { cryptosuite as ecdsaRdfc2019 } from "@digitalbazaar/ecdsa-rdfc-2019-cryptosuite";
import { createSignCryptosuite, createVerifyCryptosuite } from "@digitalbazaar/eddsa-jcs-2022-cryptosuite";
import { cryptosuite as eddsaRdfc2022 } from "@digitalbazaar/eddsa-rdfc-2022-cryptosuite";
import { resolveDidKey } from "../did/did-key";
import type { JsonObject } from "../json";
import { loadContext } from "../json-ld/load-context";

const suites: Record<string, { sign: object; verify: object }> = {
  "eddsa-rdfc-2022": { sign: eddsaRdfc2022, verify: eddsaRdfc2022 },
  "eddsa-jcs-2022": { sign: createSignCryptosuite(), verify: createVerifyCryptosuite() },
  "ecdsa-rdfc-2019": { sign: ecdsaRdfc2019, verify: ecdsaRdfc2019 },
};

/**
 * Loads contexts from our files, and resolves did:keys. The library asks for the document and for the key of a did:key.
 */
async function documentLoader(url: string): Promise<object> {
  if (!url.startsWith("did:key:")) return loadContext(url);
  const [did, fragment] = url.split("#") as [string, string?];
  const document = await resolveDidKey(did);
  const key = {
    "@context": "https://w3id.org/security/multikey/v1",
    ...(document["verificationMethod"] as object[])[0],
  };
  return {
    documentUrl: url,
    contextUrl: null,
    document:
      fragment === undefined
        ? { "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"], ...document }
        : key,
  };
}

/** The same, and the DID document of one did:web issuer with its keys. */
const loaderWith = (issuer: JsonObject) => async (url: string) => {
  const [did, fragment] = url.split("#") as [string, string?];
  if (did !== issuer["id"]) return documentLoader(url);
  const method = (issuer["verificationMethod"] as { id: string }[]).find(({ id }) => id === url);
  const document = fragment === undefined ? issuer : { "@context": "https://w3id.org/security/multikey/v1", ...method };
  return { documentUrl: url, contextUrl: null, document };
};

/**
 * Whether Digital Bazaar's library accepts a credential of a did:key issuer, or of the did:web issuer with this DID
 * document.
 */
export async function libraryVerifies(
  credential: object,
  suite: string,
  now?: Date,
  issuer?: JsonObject,
): Promise<boolean> {
  const proof = new DataIntegrityProof({ cryptosuite: suites[suite]!.verify });
  const { verified } = await vc.verifyCredential({
    credential,
    suite: proof,
    documentLoader: issuer ? loaderWith(issuer) : documentLoader,
    ...(now && { now }),
    checkStatus: async () => ({ verified: true }),
  });
  return verified;
}

/** Signs a credential with Digital Bazaar's library. */
export function librarySigns(credential: object, suite: string, key: MultikeyPair): Promise<Record<string, unknown>> {
  const proof = new DataIntegrityProof({ cryptosuite: suites[suite]!.sign, signer: key.signer() });
  return vc.issue({ credential, suite: proof, documentLoader });
}
