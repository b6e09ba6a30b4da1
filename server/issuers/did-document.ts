import { sql } from "@/server/core/db";
import type { JsonObject } from "@/server/standards/json";
import { DomainError } from "@/server/core/errors";
import { domainDid, issuerDid, verificationMethodOf } from "./did";
import { findByHost } from "./domain/find-by-host";
import { findBySlug } from "./find-by-slug";
import { loadIssuer } from "./load";
import type { IssuerRow } from "./view";

/**
 * Returns the DID document of the organisation with this slug (DID Core 1.0, section 5; Controlled Identifiers 1.0,
 * section 2). It contains retired keys too, for earlier signatures. Revoked keys are marked as revoked and have no
 * permitted use. A suspended organisation keeps its document, because its credentials can still be verified.
 *
 * @throws DomainError not_found
 */
export async function issuerDidDocument(slug: string): Promise<JsonObject> {
  return didDocumentOf(issuerDid(slug), await loadIssuer(sql, await findBySlug(slug)));
}

/**
 * Returns the DID document that a host serves for the organisation that signs under this domain, or signed under it.
 *
 * @param challenge see findByHost
 * @throws DomainError not_found
 */
export async function hostDidDocument(host: string, challenge?: string): Promise<JsonObject> {
  const found = await findByHost(host, challenge);
  if (!found) throw new DomainError("not_found", "No issuer signs under this host.");
  const alsoKnownAs = [issuerDid(found.slug)];
  return { ...didDocumentOf(domainDid(found.domain), await loadIssuer(sql, found.org_id)), alsoKnownAs };
}

function didDocumentOf(did: string, { keys }: IssuerRow): JsonObject {
  const methods = keys.map(({ public_key, revoked_at }) => ({
    id: verificationMethodOf(did, public_key),
    type: "Multikey",
    controller: did,
    publicKeyMultibase: public_key,
    // Section 2.2 of Controlled Identifiers requires seconds.
    ...(revoked_at && { revoked: `${revoked_at.toISOString().slice(0, 19)}Z` }),
  }));
  return {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"],
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.flatMap(({ id }, i) => (keys[i]!.revoked_at ? [] : [id])),
  };
}
