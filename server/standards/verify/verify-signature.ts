import { verifyProofs } from "../data-integrity/verify-proofs";
import { verifyJwt } from "../jose/verify-jwt";
import { Invalid } from "../failure";
import type { JsonObject } from "../json";
import type { Surroundings } from "../surroundings";
import { idOf } from "../vcdm/validate-credential";
import { checkValidity, validityOf } from "./check-validity";
import { maxListCharacters, readCredential, type ReadCredential } from "./read-credential";

/**
 * Verifies that the issuer of a credential signed it.
 * @returns whether verifying expanded the document, which proves that every term is defined
 * @throws Invalid; Unverifiable
 */
export async function verifySignature(
  { document, token }: ReadCredential,
  surroundings: Surroundings,
): Promise<boolean> {
  if (token) {
    await verifyJwt(token.jwt, token.read, "vc", "assertionMethod", surroundings);
    return false;
  }
  const suites = await verifyProofs(
    document,
    { purpose: "assertionMethod", controller: idOf(document["issuer"])! },
    surroundings,
  );
  return suites.some((name) => name.includes("-rdfc-"));
}

/** Verifies shape, signature and validity of a credential that holds a status list. @throws Invalid; Unverifiable */
export async function verifyList(text: string, surroundings: Surroundings): Promise<JsonObject> {
  const read = readCredential(text, maxListCharacters);
  await verifySignature(read, surroundings);
  const validity = checkValidity(validityOf(read.document, read.token?.read.claims), surroundings.now);
  if (validity.outcome === "fail")
    throw new Invalid(`The issuer's status list does not hold at this time. ${validity.detail}`);
  return read.document;
}
