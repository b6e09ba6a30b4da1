import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";

/** An organisation, and the domain under which it signs or signed. */
export interface HostIssuer {
  org_id: Id<"org">;
  slug: string;
  domain: string;
}

/**
 * Finds whose DID document a host serves: the organisation that signs under this domain or, where none does, the last
 * one that did, so that what it signed still verifies.
 *
 * @param challenge of a domain that is being verified: who knows it sees the document that would be served
 */
export async function findByHost(host: string, challenge?: string): Promise<HostIssuer | undefined> {
  const [found] = await lookUp<HostIssuer>(sql, byHost, [host.toLowerCase(), challenge ?? null]);
  return found;
}

const byHost = `
SELECT d.org_id, o.slug, d.domain FROM issuer_domains d JOIN organisations o ON o.id = d.org_id
WHERE d.domain = $1 AND (d.activated_at IS NOT NULL OR d.challenge = $2)
ORDER BY d.challenge = $2 DESC NULLS LAST, d.retired_at IS NULL AND d.activated_at IS NOT NULL DESC, d.activated_at DESC LIMIT 1`;
