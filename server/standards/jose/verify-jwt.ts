import { compactVerify, decodeProtectedHeader, type ProtectedHeaderParameters } from "jose";
import { keyFor, type ProofPurpose } from "../did/did-document";
import { resolveKeys } from "../did/resolve";
import { Invalid, Unverifiable } from "../failure";
import { textOf, type JsonObject } from "../json";
import { idOf } from "../vcdm/validate-credential";
import { parseStrictly } from "../strict-json";
import type { Surroundings } from "../surroundings";
import { algorithmsOf, knownAlgorithms } from "./keys";
import { documentOf, partOf, readPayload } from "./payload";

export interface Read {
  document: JsonObject;
  claims: JsonObject;
  header: ProtectedHeaderParameters;
}

/**
 * Reads a JWT without verifying it; verifyJwt does.
 * @throws Invalid
 */
export function readJwt(jwt: string, kind: "vc" | "vp"): Read {
  const header = headerOf(jwt);
  refuseType(header, kind);
  const claims = readPayload(jwt);
  return { header, claims, document: documentOf(claims, kind) };
}

/**
 * Verifies the signature of a JWT that holds a credential or presentation: VC-JOSE-COSE, the `vc` claim of VCDM 1.1,
 * and Open Badges' JWT. Only `kid` and the issuer's document determine the key. A key that the token brings along
 * (`jwk`, `jku`, `x5u`, `x5c`) is ignored, because it proves nothing about the issuer.
 *
 * @throws Invalid; Unverifiable
 */
export async function verifyJwt(
  jwt: string,
  { document, claims, header }: Read,
  kind: "vc" | "vp",
  purpose: ProofPurpose,
  surroundings: Surroundings,
): Promise<void> {
  if (!knownAlgorithms.includes(header.alg!))
    throw new Unverifiable(
      `The token is signed with ${header.alg!.slice(0, 40)}, which is not known here (${knownAlgorithms.join(", ")} are).`,
    );
  const signer = idOf(document[kind === "vc" ? "issuer" : "holder"]) ?? textOf(claims["iss"]);
  if (signer === undefined) throw new Invalid("The token does not say who issued it.");
  const keys = await resolveKeys(signer, surroundings);
  // The key must be in the signer's own document, whatever kid names.
  const key = keyFor(keys, methodOf(header, signer, keys), purpose, surroundings);
  try {
    await compactVerify(jwt, key, { algorithms: algorithmsOf(key) });
  } catch (error) {
    if (error instanceof Invalid || error instanceof Unverifiable) throw error;
    throw new Invalid(
      "The signature does not fit the content: it was changed after it was signed, or signed by somebody else.",
      { cause: error },
    );
  }
}

/** The id of the signing key: `kid` is a DID URL or a fragment; it may be absent if the issuer has only one key. */
function methodOf({ kid }: ProtectedHeaderParameters, signer: string, did: JsonObject): string {
  if (typeof kid === "string" && URL.canParse(kid)) return kid;
  if (typeof kid === "string") return `${signer}#${kid.replace(/^#/, "")}`;
  const { verificationMethod } = did;
  const only =
    Array.isArray(verificationMethod) && verificationMethod.length === 1 ? idOf(verificationMethod[0]) : undefined;
  if (only === undefined) throw new Invalid("The token does not say with which of the issuer's keys it was signed.");
  return only.startsWith("#") ? signer + only : only;
}

function headerOf(jwt: string): ProtectedHeaderParameters {
  let header: ProtectedHeaderParameters;
  try {
    header = decodeProtectedHeader(jwt);
    parseStrictly(partOf(jwt, 0));
  } catch (error) {
    if (error instanceof Invalid) throw error;
    throw new Invalid("The token is not a JWT.", { cause: error });
  }
  const { alg } = header;
  // `none` is no signature, and whoever can check a symmetric one can make it: neither proves who issued the token.
  if (typeof alg !== "string" || /^(?:none|hs\d+)$/i.test(alg))
    throw new Invalid(
      `The token is signed with ${JSON.stringify(alg)?.slice(0, 40)}, which is not accepted (${knownAlgorithms.join(", ")} are).`,
    );
  if (header.kid !== undefined && typeof header.kid !== "string") throw new Invalid("The token's kid is not a text.");
  // RFC 7515, section 4.1.11: a token with an unknown critical extension must be refused. No extension is known here.
  const { crit } = header;
  if (crit !== undefined)
    throw new Invalid(
      `The token demands by crit that ${JSON.stringify(crit).slice(0, 80)} be understood, which is not known here.`,
    );
  if ("b64" in header)
    throw new Invalid("The token has the header b64, which a JWT must not have (RFC 7797, section 7).");
  return header;
}

/** The media types of VC-JOSE-COSE 1.0 and its drafts, and those that RFC 7519 and VCDM 1.1 give a JWT. */
const types = {
  vc: ["vc+jwt", "vc+ld+jwt", "vc-ld+jwt", "vc+ld+json+jwt", "jwt"],
  vp: ["vp+jwt", "vp+ld+jwt", "vp-ld+jwt", "vp+ld+json+jwt", "jwt"],
};

/** RFC 8725, section 3.11: a token of another type means something else. @throws Invalid */
function refuseType({ typ }: ProtectedHeaderParameters, kind: "vc" | "vp"): void {
  if (typ === undefined) return;
  const name = typeof typ === "string" ? typ.toLowerCase().replace(/^application\//, "") : undefined;
  if (name === undefined || !types[kind].includes(name))
    throw new Invalid(
      `The token is of the type ${JSON.stringify(typ).slice(0, 60)}, which is not read here (${types[kind][0]} is).`,
    );
}
