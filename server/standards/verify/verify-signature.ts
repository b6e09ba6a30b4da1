import type { Quad } from "rdf-canonize";
import { verifyProofs } from "../data-integrity/verify-proofs";
import type { ProofPurpose } from "../did/did-document";
import { verifyJwt } from "../jose/verify-jwt";
import { Invalid, Unverifiable } from "../failure";
import { listOf, type Json, type JsonObject } from "../json";
import type { Surroundings } from "../surroundings";
import { idOf } from "../vcdm/validate-credential";
import { checkValidity, validityOf } from "./check-validity";
import { maxListCharacters, readCredential, type ReadCredential } from "./read-credential";

/** What a verifier asks of a signature, beyond who made it. */
export interface ExpectedOfSignature {
  /** The purpose for which it was made: issuing for a credential and authentication for a presentation, unless named. */
  purpose?: ProofPurpose;
  challenge?: string;
  domain?: string;
}

export interface ExpectedOfCredential extends ExpectedOfSignature {
  /** Who signed the presentation that holds the credential; absent outside of one. */
  presentedBy?: string;
}

/**
 * Verifies that the issuer of a credential signed it. A credential without a proof may stand in a presentation that its
 * issuer signed as the holder (VCDM 2.0, section 4.13.4).
 * @returns the statements that were signed, if the signature is over RDF. They also prove that every term is defined.
 * @throws Invalid; Unverifiable
 */
export async function verifySignature(
  { document, token }: ReadCredential,
  surroundings: Surroundings,
  { presentedBy, ...expected }: ExpectedOfCredential = {},
): Promise<readonly Quad[] | undefined> {
  const issuer = idOf(document["issuer"])!;
  if (token) {
    refuseOtherAudience(token.read.claims, expected);
    await verifyJwt(token.jwt, token.read, "vc", expected.purpose ?? "assertionMethod", surroundings);
    return undefined;
  }
  if (document["proof"] === undefined && presentedBy === issuer) return undefined;
  return verifyProofs(document, { purpose: "assertionMethod", controller: issuer, ...expected }, surroundings);
}

/** Refuses a JWT that was made for another challenge (`nonce`) or domain (`aud`) than the verifier's. @throws Invalid */
export function refuseOtherAudience(claims: JsonObject, { challenge, domain }: ExpectedOfSignature): void {
  if (challenge !== undefined && claims["nonce"] !== challenge) throw new Invalid("It answers another challenge.");
  if (domain !== undefined && !listOf(claims["aud"] as Json | undefined).includes(domain))
    throw new Invalid("It was made for another domain.");
}

/** Verifies shape, signature and validity of a credential that holds a status list. @throws Invalid; Unverifiable */
export async function verifyList(text: string, surroundings: Surroundings): Promise<JsonObject> {
  const read = await readList(text, surroundings);
  const validity = checkValidity(validityOf(read.document, read.token?.read.claims), surroundings);
  if (validity.outcome === "fail")
    throw new Invalid(`The issuer's status list does not hold at this time. ${validity.detail}`);
  return read.document;
}

/** Errors name the list: nothing is wrong with the credential that asks for it. */
async function readList(text: string, surroundings: Surroundings): Promise<ReadCredential> {
  try {
    const read = readCredential(text, maxListCharacters);
    if (!read.token && read.document["proof"] === undefined)
      throw new Invalid("It is not signed, so anybody may have written it.");
    await verifySignature(read, surroundings);
    return read;
  } catch (error) {
    if (error instanceof Unverifiable)
      throw new Unverifiable(`The issuer's status list could not be checked. ${error.message}`, { cause: error });
    if (!(error instanceof Invalid)) throw error;
    throw new Invalid(`The issuer's status list cannot be relied on. ${error.message}`, { cause: error });
  }
}
