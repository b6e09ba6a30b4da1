import { sql } from "@/server/core/db";
import type { JsonObject } from "@/server/standards/json";
import { issuerDid, verificationMethodOf } from "./did";
import { findBySlug } from "./find-by-slug";
import { loadIssuer } from "./load";

/**
 * Returns the DID document of the organisation with this slug (DID Core 1.0, section 5; Controlled Identifiers 1.0,
 * section 2). Retired keys are in it too, for what they signed. Revoked ones are listed as such and allowed for nothing. A suspended organisation keeps its document, as its
 * credentials can still be verified.
 *
 * @throws DomainError not_found
 */
export async function issuerDidDocument(slug: string): Promise<JsonObject> {
  const { keys } = await loadIssuer(sql, await findBySlug(slug));
  const did = issuerDid(slug);
  const methods = keys.map(({ public_key, revoked_at }) => ({
    id: verificationMethodOf(did, public_key),
    type: "Multikey",
    controller: did,
    publicKeyMultibase: public_key,
    // Section 2.2 of Controlled Identifiers wants seconds.
    ...(revoked_at && { revoked: `${revoked_at.toISOString().slice(0, 19)}Z` }),
  }));
  return {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"],
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.flatMap(({ id }, i) => (keys[i]!.revoked_at ? [] : [id])),
  };
}
