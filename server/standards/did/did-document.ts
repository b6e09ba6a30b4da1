import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { formatExact } from "@/server/core/dates";
import { readMultikey } from "../encoding/multikey";
import { Invalid, KeyEnded, Unverifiable } from "../failure";
import { isObject, listOf, textOf, type JsonObject } from "../json";
import type { Surroundings } from "../surroundings";

export type ProofPurpose = "assertionMethod" | "authentication";

/** A DID document (DID Core 1.0, section 5): the properties that are read here. */
export interface DidDocument extends JsonObject {
  id: string;
}

/**
 * Finds the public key of a verification method, if the DID document allows it for this purpose.
 * A key that is revoked or expired at `now` verifies nothing, not even older signatures: a thief of the key could
 * backdate a signature (Controlled Identifiers 1.0, section 2.2).
 *
 * @throws Invalid if the document does not allow it; KeyEnded if it did until a time before `now`; Unverifiable for a kind of key that is not supported
 */
export function keyFor(
  document: DidDocument,
  method: string,
  purpose: ProofPurpose,
  { now, locale = "en-GB" }: Pick<Surroundings, "now" | "locale">,
): KeyObject {
  const absolute = (id: string | undefined) => (id?.startsWith("#") ? document.id + id : id);
  const embedded = (entries: unknown[]) =>
    entries.find((entry): entry is JsonObject => isObject(entry) && absolute(textOf(entry["id"])) === method);
  const allowed = listOf(document[purpose]);
  const named = allowed.some((entry) => typeof entry === "string" && absolute(entry) === method);
  const found = embedded(allowed) ?? (named ? embedded(listOf(document["verificationMethod"])) : undefined);
  if (!found) {
    requireLive(embedded(listOf(document["verificationMethod"])), now, locale);
    throw new Invalid(
      `The issuer's DID document does not name the key ${method} for ${purpose === "assertionMethod" ? "issuing credentials" : "authentication"}.`,
    );
  }
  if (found["controller"] !== undefined && found["controller"] !== document.id)
    throw new Invalid("The key is controlled by somebody else than its DID document.");
  requireLive(found, now, locale);
  return keyOf(found);
}

/** @throws KeyEnded for a key that is revoked or expired */
function requireLive(found: JsonObject | undefined, now: Date, locale: string): void {
  for (const end of ["revoked", "expires"] as const) {
    const time = found?.[end];
    if (time === undefined) continue;
    if (typeof time !== "string" || Number.isNaN(Date.parse(time)))
      throw new KeyEnded(`The issuer's key ${endWords[end]}, at a time that cannot be read.`);
    if (!(Date.parse(time) > now.getTime()))
      throw new KeyEnded(`The issuer's key ${endWords[end]} on ${formatExact(time, { timeZone: "UTC", locale })}.`);
  }
}

const endWords = { revoked: "was revoked", expires: "expired" };

function keyOf(method: JsonObject): KeyObject {
  const { publicKeyMultibase, publicKeyJwk } = method;
  if (typeof publicKeyMultibase === "string") return readMultikey(publicKeyMultibase);
  if (!isObject(publicKeyJwk))
    throw new Unverifiable(
      `The issuer's key of the type ${String(method["type"])} is in a form that is not supported.`,
    );
  return readJwk(publicKeyJwk);
}

const knownCurves = ["Ed25519", "P-256", "P-384"];

/**
 * Reads a public JWK.
 * @throws Unverifiable for a kind of key that is not known here; Invalid for a malformed one, also for a JWK with a private key: once it is published, anyone can sign with it
 */
export function readJwk(jwk: JsonObject): KeyObject {
  if ("d" in jwk || "k" in jwk) throw new Invalid("The issuer published a private key, so anyone may have signed.");
  const { kty, crv } = jwk;
  const isKnown = kty === "RSA" || (typeof crv === "string" && knownCurves.includes(crv));
  if (typeof kty === "string" && !isKnown)
    throw new Unverifiable(
      `The issuer's key is of a kind that is not known here (${knownCurves.join(", ")} and RSA are).`,
    );
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
  } catch (error) {
    throw new Invalid("The issuer's key is not a valid JWK.", { cause: error });
  }
}
