import { contextUrls } from "../json-ld/contexts";
import type { JsonObject } from "../json";
import { secondsOf } from "../data-integrity/sign-document";
import type { Bitstring } from "./bitstring";

export interface ListDescription {
  /** Where it is served: its `id`. */
  url: string;
  /** The DID that signs it. As a text, not an object, because some verifiers accept only that. */
  issuer: string;
  purpose: "revocation" | "suspension";
  validFrom: Date;
  /** When the list expires. Sign it again well before: verifiers refuse an expired list. */
  validUntil: Date;
  ttlMs: number;
}

/** A `BitstringStatusListCredential` without proof (Bitstring Status List 1.0, section 2.2). */
export function statusListCredential(
  list: Bitstring,
  { url, issuer, purpose, validFrom, validUntil, ttlMs }: ListDescription,
): JsonObject {
  return {
    "@context": [contextUrls.credentialsV2],
    id: url,
    type: ["VerifiableCredential", "BitstringStatusListCredential"],
    issuer,
    validFrom: secondsOf(validFrom),
    validUntil: secondsOf(validUntil),
    credentialSubject: {
      id: `${url}#list`,
      type: "BitstringStatusList",
      statusPurpose: purpose,
      encodedList: list.encode(),
      ttl: ttlMs,
    },
  };
}

/** The entry of a credential in a list (section 2.1). */
export function statusEntry(url: string, purpose: ListDescription["purpose"], index: number): JsonObject {
  return {
    id: `${url}#${index}`,
    type: "BitstringStatusListEntry",
    statusPurpose: purpose,
    statusListIndex: String(index),
    statusListCredential: url,
  };
}
