import { z } from "zod";
import { mailHomeLink, requireMail } from "@/server/access/address-proof";
import { addressBlock } from "@/server/core/address-block";
import { accountEmail } from "@/server/core/email-address";
import { localeOf } from "@/server/core/languages";
import { count, type Limit } from "@/server/core/limiter";
import { visitorCommand } from "@/server/core/operation";
import { rateLimited } from "@/server/core/rate-limited";
import { addressOf } from "./session";

/** The limit of links per network. */
const ofNetwork: Limit = { name: "home-link-network", points: 30, seconds: 15 * 60 };

/** @throws DomainError mail_not_configured without an SMTP server; rate_limited */
async function admit({ address }: { address: string }): Promise<void> {
  requireMail();
  const { isOver, msBeforeNext } = count(ofNetwork, addressBlock(address));
  if (isOver) throw rateLimited("Too many links were requested from this network.", msBeforeNext);
}

/**
 * Requests a link to the holder's home by mail. Whether anyone has the address is checked only when the mail is sent, so
 * the answer and its timing reveal nothing about the address. Leaves no audit entry, because no organisation is known yet.
 */
export const requestEntry = visitorCommand({
  name: "holders.request_entry",
  input: z.strictObject({ email: accountEmail }),
  prepare: admit,
  run: (visitor, tx, { email }) => mailHomeLink(tx, visitor.now, email, null, localeOf(visitor.language)),
});

/**
 * Requests a link that adds an address to the home of a session. The audit entry is left when the link is opened (enter.ts).
 * @returns `own` for the address of the session, to which nothing is sent; `over` without a live session
 */
export const requestAddress = visitorCommand({
  name: "holders.request_address",
  input: z.strictObject({ session: z.string().max(200), email: accountEmail }),
  prepare: admit,
  async run(visitor, tx, { session, email }): Promise<"asked" | "own" | "over"> {
    const from = await addressOf(tx.sql, session, visitor.now);
    if (from === null) return "over";
    if (from === email) return "own";
    await mailHomeLink(tx, visitor.now, email, from, localeOf(visitor.language));
    return "asked";
  },
});
