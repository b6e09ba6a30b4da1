import { z } from "zod";
import { mailCode, requireMail } from "@/server/access/address-proof";
import { addressBlock } from "@/server/core/address-block";
import { accountEmail } from "@/server/core/email-address";
import { notFound } from "@/server/core/errors";
import { count, type Limit } from "@/server/core/limiter";
import { visitorCommand } from "@/server/core/operation";
import { rateLimited } from "@/server/core/rate-limited";
import { findLink } from "./find-link";

/** The limit of codes per network. It is high because everybody in a lecture hall shares one address. */
const ofNetwork: Limit = { name: "claim-code-network", points: 200, seconds: 15 * 60 };

/**
 * Mails a code to a visitor of a claim link, who proves the address with it. Leaves no audit entry, because anyone can
 * request a code; the claim itself leaves one.
 *
 * @returns the token for the browser's cookie; null if the link accepts no claims
 * @throws DomainError not_found; mail_not_configured without an SMTP server; rate_limited
 */
export const requestClaimCode = visitorCommand({
  name: "claims.request_code",
  input: z.strictObject({ code: z.string().max(64), email: accountEmail }),
  async prepare({ address }) {
    requireMail();
    const { isOver, msBeforeNext } = count(ofNetwork, addressBlock(address));
    if (isOver) throw rateLimited("Too many codes were requested from this network.", msBeforeNext);
  },
  async run(visitor, tx, { code, email }): Promise<{ token: string } | null> {
    const link = await findLink(code, visitor.now, tx.sql, visitor.language);
    if (!link) throw notFound("claim link", code);
    if (link.state !== "open") return null;
    const { locale } = link.region;
    const token = await mailCode(tx, visitor.now, { email, orgId: link.orgId, claimLinkId: link.id, locale });
    if (token === null) throw rateLimited("Too many codes were sent to this address.", 60 * 60_000);
    return { token };
  },
});
