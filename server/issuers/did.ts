import { env } from "@/server/core/env";

/** How long verifiers may cache a DID document: short, so that they soon see a new or revoked key. */
export const didMaxAgeSeconds = 60;

/** The path of an organisation's DID document (did:web method specification, section 3.2). */
export const didDocumentPath = (slug: string): string => `/public/issuers/${slug}/did.json`;

/**
 * The DID of an organisation as an issuer: did:web of this service's host and the organisation's slug, neither of which
 * changes.
 *
 * @example issuerDid("northwind") // "did:web:credentials.example.edu:public:issuers:northwind"
 */
export const issuerDid = (slug: string): string => `did:web:${didHost()}:public:issuers:${slug}`;

/** The DID of an organisation that signs under a domain of its own. @example domainDid("example.edu:8443") // "did:web:example.edu%3A8443" */
export const domainDid = (domain: string): string => `did:web:${domain.replace(":", "%3A")}`;

/** The URL of the DID document of a domain. */
export const domainDocumentUrl = (domain: string): string => `https://${domain}/.well-known/did.json`;

/** The URL of an organisation's DID document. Resolvers of did:web ask for it over https. */
export const didDocumentUrl = (slug: string): string => `${env().PUBLIC_URL}${didDocumentPath(slug)}`;

/** The DID URL of a key. The fragment is the public key as multikey. */
export const verificationMethodOf = (did: string, publicKey: string): string => `${did}#${publicKey}`;

/** The host of this service in a did:web, with the colon before a port escaped. */
const didHost = (): string => new URL(env().PUBLIC_URL).host.replace(":", "%3A");
