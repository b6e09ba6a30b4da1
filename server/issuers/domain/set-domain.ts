import { randomBytes } from "node:crypto";
import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { loadIssuer, lockIssuer } from "../load";
import { issuerTag, issuerView } from "../view";
import { domainName } from "./domain-name";

/**
 * Sets the domain under which the organisation wants to sign, and replaces an unverified one. Nothing is signed under
 * the domain before it is verified. Leaves an audit entry.
 *
 * @throws DomainError domain_exists while the organisation signs under another domain
 */
export const setIssuerDomain = command({
  name: "issuers.set_domain",
  scope: "settings:write",
  input: z.strictObject({ domain: domainName, ifMatch }),
  tag: issuerTag,
  async run(ctx, { domain, ifMatch: sent }) {
    const before = await lockIssuer(ctx);
    requireMatch(sent, issuerTag(issuerView(ctx.orgId, before)));
    if (before.domain?.domain === domain) return issuerView(ctx.orgId, before);
    if (before.domain?.activated_at)
      throw new DomainError(
        "domain_exists",
        `The organisation has the domain ${before.domain.domain}. Remove that one first; what was signed under it stays valid while it points here.`,
      );
    // Nothing was signed under a pending domain, so another one, perhaps a correction, may replace it.
    if (before.domain)
      await ctx.tx.sql(`DELETE FROM issuer_domains WHERE org_id = $1 AND domain = $2`, [
        ctx.orgId,
        before.domain.domain,
      ]);
    await ctx.tx.sql(
      `INSERT INTO issuer_domains (org_id, domain, challenge, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (org_id, domain) DO UPDATE SET challenge = excluded.challenge, created_at = excluded.created_at,
         checked_at = NULL, problem = NULL, activated_at = NULL, retired_at = NULL`,
      [ctx.orgId, domain, randomBytes(20).toString("base64url"), ctx.now],
    );
    const organisation = { type: "organisation", id: publicId("org", ctx.orgId) };
    if (before.domain) await audit(ctx, "issuer.domain_removed", organisation, { domain: before.domain.domain });
    await audit(ctx, "issuer.domain_set", organisation, { domain });
    return issuerView(ctx.orgId, await loadIssuer(ctx.tx.sql, ctx.orgId));
  },
});
