import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { issuerProfileSchema } from "@/server/issuers/profile";
import { statusPurpose, statusPurposes } from "@/server/issuers/status/purposes";
import { statusListTypes } from "@/server/issuers/status/signed-list";
import { refusalResponses } from "./problem-schema";
import { refusalsOf } from "./refusals";
import { tagOf } from "./tags";

const tags = [tagOf("/public")];
const slug = z.string().meta({ description: "The slug of the organisation that issues.", example: "acme" });
const ifNoneMatch = z.string().max(2000).optional().meta({
  description: "The ETag of an earlier answer: 304 where nothing has changed since.",
});
const headers = z.object({ ETag: z.string(), "Cache-Control": z.string() });
const refusals = (operationId: string) =>
  refusalResponses(refusalsOf({ operationId, isPublic: true, takesBody: false, namesResource: true }));

const didDocument = z
  .object({
    "@context": z.array(z.string()),
    id: z.string().meta({ description: "The issuer's DID." }),
    verificationMethod: z.array(
      z.object({ id: z.string(), type: z.literal("Multikey"), controller: z.string(), publicKeyMultibase: z.string() }),
    ),
    assertionMethod: z.array(z.string()),
  })
  .meta({ id: "DidDocument" });

const statusList = z
  .object({
    "@context": z.array(z.string()),
    id: z.string(),
    type: z.array(z.string()),
    issuer: z.string().meta({ description: "The issuer's DID." }),
    validFrom: z.iso.datetime(),
    validUntil: z.iso.datetime(),
    credentialSubject: z.object({
      id: z.string(),
      type: z.literal("BitstringStatusList"),
      statusPurpose: z.enum(statusPurposes),
      encodedList: z.string().meta({ description: "u, then the bits as gzip in base64url. At least 131,072 bits." }),
      ttl: z.int().meta({ description: "How long it may be kept, in milliseconds." }),
    }),
    proof: z.array(z.record(z.string(), z.string())),
  })
  .meta({ id: "StatusListCredential" });

const jwt = z.string().meta({ id: "StatusListJwt", description: "The list as vc+jwt." });

/** What verifiers of academic credentials read about an issuer, without authentication (contract section 9). */
export const issuerOperations: (ZodOpenApiOperationObject & { path: string; method: "get" | "post" })[] = [
  {
    path: "/public/issuers/{slug}",
    method: "get",
    operationId: "publicIssuer",
    tags,
    summary: "Get the keys and lists with which a scanner checks credentials offline",
    description:
      "Name, keys and status lists of an organisation: what a scanner keeps to check the signed statement in a QR code without a connection (signedQr of a design). The statement is a CWT as COSE_Sign1 with Ed25519, in base32 after the # of the link; its key id is the first 4 bytes of the key.",
    requestParams: { path: z.object({ slug }), header: z.object({ "If-None-Match": ifNoneMatch }) },
    responses: {
      "200": {
        description: "The issuer.",
        headers,
        content: { "application/json": { schema: issuerProfileSchema } },
      },
      "304": { description: "As it was: If-None-Match names the answer's ETag.", headers },
      ...refusals("publicIssuer"),
    },
  },
  {
    path: "/public/issuers/{slug}/did.json",
    method: "get",
    operationId: "publicIssuerDid",
    tags,
    summary: "Get the DID document of an issuer",
    description:
      "The public keys with which an organisation signs and has signed, as did:web resolvers ask for them. Retired keys stay in it.",
    requestParams: { path: z.object({ slug }), header: z.object({ "If-None-Match": ifNoneMatch }) },
    responses: {
      "200": {
        description: "The DID document.",
        headers,
        content: { "application/did+ld+json": { schema: didDocument } },
      },
      "304": { description: "As it was: If-None-Match names the document's ETag.", headers },
      ...refusals("publicIssuerDid"),
    },
  },
  {
    path: "/public/status/{slug}/{purpose}",
    method: "get",
    operationId: "publicStatusList",
    tags,
    summary: "Get a status list of an issuer",
    description:
      "Which of the issuer's academic credentials are revoked, or suspended: a BitstringStatusListCredential (Bitstring Status List 1.0), signed by the issuer. It shows every change that was made before the request. Verifiers may keep it for five minutes.",
    requestParams: {
      path: z.object({ slug, purpose: statusPurpose.meta({ example: "revocation" }) }),
      header: z.object({ "If-None-Match": ifNoneMatch }),
    },
    responses: {
      "200": {
        description: "The list, in the form that Accept prefers.",
        headers: headers.extend({ Vary: z.string() }),
        content: Object.fromEntries(
          statusListTypes.map((type) => [type, { schema: type === "application/vc+jwt" ? jwt : statusList }]),
        ),
      },
      "304": {
        description: "As it was: If-None-Match names the list's ETag.",
        headers: headers.extend({ Vary: z.string() }),
      },
      ...refusals("publicStatusList"),
    },
  },
  {
    path: "/.well-known/did.json",
    method: "get",
    operationId: "publicHostDid",
    tags,
    summary: "Get the DID document of the issuer at this host",
    description:
      "The public keys with which an organisation signs and has signed, as did:web resolvers ask for them. Retired keys stay in it.",
    requestParams: { header: z.object({ "If-None-Match": ifNoneMatch }) },
    responses: {
      "200": {
        description: "The DID document.",
        headers,
        content: { "application/did+ld+json": { schema: didDocument } },
      },
      "304": { description: "As it was: If-None-Match names the document's ETag.", headers },
      ...refusals("publicHostDid"),
    },
  },
  {
    path: "/public/status/{slug}/{purpose}/{domain}",
    method: "get",
    operationId: "publicDomainStatusList",
    tags,
    summary: "Get a status list of an issuer, signed under its domain",
    description:
      "Which of the issuer's academic credentials are revoked, or suspended: a BitstringStatusListCredential (Bitstring Status List 1.0), signed by the issuer. It shows every change that was made before the request. Verifiers may keep it for five minutes.",
    requestParams: {
      path: z.object({ domain: z.string(), slug, purpose: statusPurpose.meta({ example: "revocation" }) }),
      header: z.object({ "If-None-Match": ifNoneMatch }),
    },
    responses: {
      "200": {
        description: "The list, in the form that Accept prefers.",
        headers: headers.extend({ Vary: z.string() }),
        content: Object.fromEntries(
          statusListTypes.map((type) => [type, { schema: type === "application/vc+jwt" ? jwt : statusList }]),
        ),
      },
      "304": {
        description: "As it was: If-None-Match names the list's ETag.",
        headers: headers.extend({ Vary: z.string() }),
      },
      ...refusals("publicDomainStatusList"),
    },
  },
];
