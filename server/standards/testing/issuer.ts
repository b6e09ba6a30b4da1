import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Signer } from "../data-integrity/sign-document";
import { didKeyMethod, didKeyOf } from "../did/did-key";
import { writeMultikey } from "../encoding/multikey";
import type { JsonObject } from "../json";

export interface TestIssuer extends Signer {
  did: string;
  publicKey: KeyObject;
}

const generators = {
  ed25519: () => generateKeyPairSync("ed25519"),
  "P-256": () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  "P-384": () => generateKeyPairSync("ec", { namedCurve: "P-384" }),
};

/** Makes an issuer with a new key, named by its did:key. */
export function keyIssuer(kind: keyof typeof generators = "ed25519"): TestIssuer {
  const { publicKey, privateKey } = generators[kind]();
  const did = didKeyOf(publicKey);
  return { did, publicKey, privateKey, verificationMethod: didKeyMethod(did) };
}

/** The DID document of an issuer with one key, under another DID. */
export function didDocument(did: string, { publicKey }: Pick<TestIssuer, "publicKey">): JsonObject {
  const method = `${did}#key-1`;
  return {
    "@context": ["https://www.w3.org/ns/did/v1"],
    id: did,
    verificationMethod: [
      { id: method, type: "Multikey", controller: did, publicKeyMultibase: writeMultikey(publicKey) },
    ],
    assertionMethod: [method],
  };
}

/** An unsigned badge as this service issues them. */
export function badge(issuer: string, more: JsonObject = {}): JsonObject {
  return {
    "@context": ["https://www.w3.org/ns/credentials/v2", "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"],
    id: "urn:uuid:0d6e1e2c-1f59-4f1e-9a57-5f3a61a2c5a1",
    type: ["VerifiableCredential", "OpenBadgeCredential"],
    name: "Bachelor of Science",
    issuer: { id: issuer, type: ["Profile"], name: "Example University" },
    validFrom: "2026-01-31T00:00:00Z",
    credentialSubject: {
      type: ["AchievementSubject"],
      identifier: [
        { type: "IdentityObject", hashed: false, identityHash: "ada@example.edu", identityType: "emailAddress" },
      ],
      achievement: {
        id: "https://example.edu/achievements/bsc",
        type: ["Achievement"],
        name: "Bachelor of Science",
        description: "Three years of study.",
        criteria: { narrative: "Pass the examinations." },
      },
    },
    ...more,
  };
}
