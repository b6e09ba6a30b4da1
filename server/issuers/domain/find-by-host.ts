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
 * Finds the organisation whose DID document a host serves: the one that signs under this domain or, if there is none,
 * the last one that did, so that its signatures can still be verified.
 *
 * @param challenge the challenge of a domain in verification; with it, the future document is served
 */
export async function findByHost(host: string, challenge?: string): Promise<HostIssuer | undefined> {
  const [found] = await lookUp<HostIssuer>(sql, byHost, [host.toLowerCase(), challenge ?? null]);
  return found;
}

const byHost = `
SELECT d.org_id, o.slug, d.domain FROM issuer_domains d JOIN organisations o ON o.id = d.org_id
WHERE d.domain = $1 AND (d.activated_at IS NOT NULL OR d.challenge = $2)
ORDER BY d.challenge = $2 DESC NULLS LAST, d.retired_at IS NULL AND d.activated_at IS NOT NULL DESC, d.activated_at DESC LIMIT 1`;
