import { CompactSign } from "jose";
import type { Signer } from "../data-integrity/sign-document";
import type { JsonObject } from "../json";
import { algorithmsOf } from "./keys";

/**
 * Secures a credential or presentation as a JWT (VC-JOSE-COSE 1.0, section 3.1): the document itself is the payload.
 */
export function signJwt(
  document: JsonObject,
  kind: "vc" | "vp",
  { privateKey, verificationMethod }: Signer,
): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(document)))
    .setProtectedHeader({ alg: algorithmsOf(privateKey)[0]!, kid: verificationMethod, typ: `${kind}+jwt`, cty: kind })
    .sign(privateKey);
}

/** Wraps a JWT into an enveloped document, for places that take only documents (VCDM 2.0, section 4.14). */
export function envelope(jwt: string, kind: "vc" | "vp"): JsonObject {
  const type = kind === "vc" ? "EnvelopedVerifiableCredential" : "EnvelopedVerifiablePresentation";
  return { "@context": ["https://www.w3.org/ns/credentials/v2"], id: `data:application/${kind}+jwt,${jwt}`, type };
}
