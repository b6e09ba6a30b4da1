import { actor, at, changed } from "./common";
import { event } from "./webhooks";

const organisation = {
  id: event.organisationId,
  object: "organisation",
  name: "Acme University",
  slug: "acme",
  timeZone: "Europe/Berlin",
  locale: "en-GB",
  nameConfirmed: true,
  messages: { senderName: null, replyTo: "registrar@example.edu", texts: {} },
  ...changed,
};

const issuerDid = "did:web:credentials.example.edu:public:issuers:acme";

const statusListId = "https://credentials.example.edu/public/status/acme/revocation";

const publicKey = "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";

const issuerKey = {
  id: "iky_01k4b2m9a1j6k7m8n9p0q1r2s3",
  object: "issuer_key",
  kind: "ed25519",
  status: "active",
  verificationMethod: `${issuerDid}#${publicKey}`,
  publicKeyMultibase: publicKey,
  createdAt: at,
  activatedAt: at,
  retiredAt: null,
  revokedAt: null,
};

const issuer = {
  id: event.organisationId,
  object: "issuer",
  did: issuerDid,
  serviceDid: issuerDid,
  didDocumentUrl: "https://credentials.example.edu/public/issuers/acme/did.json",
  domain: null,
  keys: [issuerKey],
  recipientIdentity: "hashed",
  createdAt: at,
};

export const organisationsExamples: Record<string, unknown> = {
  Organisation: organisation,
  Issuer: issuer,
  IssuerKey: issuerKey,
  StatusListCredential: {
    "@context": ["https://www.w3.org/ns/credentials/v2"],
    id: statusListId,
    type: ["VerifiableCredential", "BitstringStatusListCredential"],
    issuer: issuerDid,
    validFrom: "2026-11-22T10:00:00Z",
    validUntil: "2026-11-25T10:00:00Z",
    credentialSubject: {
      id: `${statusListId}#list`,
      type: "BitstringStatusList",
      statusPurpose: "revocation",
      encodedList: "uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA",
      ttl: 300_000,
    },
    proof: [
      {
        type: "DataIntegrityProof",
        cryptosuite: "eddsa-rdfc-2022",
        created: "2026-11-22T10:01:00Z",
        verificationMethod: issuerKey.verificationMethod,
        proofPurpose: "assertionMethod",
        proofValue: "z2YwC8z3ap7yx1nZYCg4L3j3ApHsF8kgPdSb5xoS1VR7vPG3F561B52hYnQF9iseabecm3ijx4K1FBTQsCZahKZme",
      },
    ],
  },
  StatusListJwt: "eyJhbGciOiJFZERTQSIsInR5cCI6InZjK2p3dCJ9.eyJpZCI6IuKApiJ9.c2lnbmF0dXJl",
  IssuerProfile: {
    object: "issuer_profile",
    slug: "acme",
    name: "Acme University",
    nameVerified: true,
    did: issuerDid,
    keys: [{ publicKeyMultibase: publicKey, status: "active" }],
    statusLists: {
      revocation: "https://credentials.example.edu/public/status/acme/revocation",
      suspension: "https://credentials.example.edu/public/status/acme/suspension",
    },
  },
  DidDocument: {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"],
    id: issuerDid,
    verificationMethod: [
      { id: issuerKey.verificationMethod, type: "Multikey", controller: issuerDid, publicKeyMultibase: publicKey },
    ],
    assertionMethod: [issuerKey.verificationMethod],
  },
  Me: { object: "me", organisation, actor, scopes: ["credentials:issue", "credentials:read"] },
  OAuthError: {
    error: "invalid_client",
    error_description: "The client is unknown or revoked, or its secret is wrong.",
  },
};
