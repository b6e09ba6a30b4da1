import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { personCommand } from "@/server/core/operation";
import { rateLimited } from "@/server/core/rate-limited";
import { queueAccountMail, sendsMail } from "./account-mail";
import type { ConsoleSession } from "./console-session";
import { createLink } from "./one-time-link";

/** Verification mails per address and hour. */
const perHour = 3;
const hourMs = 3_600_000;

/**
 * Sends the person a link that verifies their e-mail address, and withdraws earlier ones.
 *
 * @throws DomainError mail_not_configured; rate_limited.
 */
export const requestEmailVerification = personCommand({
  name: "users.request_email_verification",
  input: z.strictObject({}).optional(),
  async run(visitor, tx, { user }: ConsoleSession) {
    if (!sendsMail()) throw new DomainError("mail_not_configured", "This service sends no e-mail.");
    await tx.sql(`SELECT 1 FROM users WHERE id = $1 FOR UPDATE`, [user.id]);
    const recent = await tx.sql<{ created_at: Date }>(
      `SELECT created_at FROM account_mails WHERE email = $1 AND kind = 'email_verification' AND created_at > $2 ORDER BY created_at DESC LIMIT $3`,
      [user.email, new Date(visitor.now.getTime() - hourMs), perHour],
    );
    if (recent.length >= perHour)
      throw rateLimited(
        "We sent three links in the last hour. Look into your junk folder first.",
        recent.at(-1)!.created_at.getTime() + hourMs - visitor.now.getTime(),
      );
    await tx.sql(`DELETE FROM one_time_links WHERE purpose = 'email_verification' AND email = $1`, [user.email]);
    const link = await createLink(tx, visitor.now, { purpose: "email_verification", email: user.email, mailed: true });
    await queueAccountMail(tx, visitor.now, "email_verification", user.email, link);
  },
});
