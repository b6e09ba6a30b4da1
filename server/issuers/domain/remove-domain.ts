import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { loadIssuer, lockIssuer } from "../load";
import { issuerTag, issuerView } from "../view";
import { requireDomain } from "./verify-domain";

/**
 * Stops signing under the organisation's domain. After the commit it signs under the host of this service again.
 * Signatures under the domain stay valid while the domain points here and no other organisation signs under it. Leaves
 * an audit entry.
 *
 * @throws DomainError not_found
 */
export const removeIssuerDomain = command({
  name: "issuers.remove_domain",
  scope: "settings:write",
  input: z.strictObject({ ifMatch }),
  tag: issuerTag,
  async run(ctx, { ifMatch: sent }) {
    const before = await lockIssuer(ctx);
    requireMatch(sent, issuerTag(issuerView(ctx.orgId, before)));
    const { domain, activated_at } = requireDomain(before.domain);
    await ctx.tx.sql(
      activated_at
        ? `UPDATE issuer_domains SET retired_at = $3 WHERE org_id = $1 AND domain = $2`
        : `DELETE FROM issuer_domains WHERE org_id = $1 AND domain = $2 AND $3::timestamptz IS NOT NULL`,
      [ctx.orgId, domain, ctx.now],
    );
    await audit(ctx, "issuer.domain_removed", { type: "organisation", id: publicId("org", ctx.orgId) }, { domain });
    return issuerView(ctx.orgId, await loadIssuer(ctx.tx.sql, ctx.orgId));
  },
});
