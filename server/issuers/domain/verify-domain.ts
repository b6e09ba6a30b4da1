import { z } from "zod";
import { audit } from "@/server/access/audit";
import { standingOf } from "@/server/access/standing";
import { isUniqueViolation, sql } from "@/server/core/db";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { outboundRequest } from "@/server/outbound/request";
import { txtRecords } from "@/server/outbound/txt-records";
import { loadIssuer, lockIssuer } from "../load";
import { signingKeyOf } from "../signing-key";
import { issuerTag, issuerView, type IssuerRow } from "../view";
import { checkDomain } from "./check-domain";

/**
 * Checks the organisation's domain: its DNS record, and the DID document that it serves. If both are right, the
 * organisation signs as did:web of the domain. Documents are signed again at the next request, and earlier ones stay
 * valid under their DID. The answer lists what is wrong. Leaves an audit entry.
 *
 * @throws DomainError not_found without a domain; domain_taken if another organisation of this service signs under it
 */
export const verifyIssuerDomain = command({
  name: "issuers.verify_domain",
  scope: "settings:write",
  input: z.strictObject({ ifMatch }),
  tag: issuerTag,
  standing: standingOf,
  async prepare(ctx) {
    const { domain } = await loadIssuer(sql, ctx.orgId);
    const claim = requireDomain(domain);
    const { publicKey } = await signingKeyOf({ orgId: ctx.orgId, now: ctx.now });
    const problem = await checkDomain({ ...claim, publicKey }, { now: ctx.now, request: outboundRequest, txtRecords });
    return { challenge: claim.challenge, problem };
  },
  async run(ctx, { ifMatch: sent }, { challenge, problem }) {
    const before = await lockIssuer(ctx);
    requireMatch(sent, issuerTag(issuerView(ctx.orgId, before)));
    const claim = requireDomain(before.domain);
    if (claim.challenge !== challenge)
      throw new DomainError("conflict", "The domain was changed while it was checked. Check it again.");
    await ctx.tx
      .sql(
        `UPDATE issuer_domains SET checked_at = $3, problem = $4, activated_at = CASE WHEN $4::text IS NULL THEN coalesce(activated_at, $3) ELSE activated_at END
         WHERE org_id = $1 AND domain = $2`,
        [ctx.orgId, claim.domain, ctx.now, problem],
      )
      .catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        throw new DomainError(
          "domain_taken",
          `Another organisation of this service signs under ${claim.domain}. It has to remove the domain first.`,
        );
      });
    await audit(
      ctx,
      "issuer.domain_checked",
      { type: "organisation", id: publicId("org", ctx.orgId) },
      { domain: claim.domain, problem },
    );
    return issuerView(ctx.orgId, await loadIssuer(ctx.tx.sql, ctx.orgId));
  },
});

/** @throws DomainError not_found */
export function requireDomain(domain: IssuerRow["domain"]): NonNullable<IssuerRow["domain"]> {
  if (!domain) throw new DomainError("not_found", "The organisation has no domain of its own. Set one first.");
  return domain;
}
