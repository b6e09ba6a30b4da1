import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { personCommand } from "@/server/core/operation";
import { queueAccountMail, sendsMail } from "./account-mail";
import type { ConsoleSession } from "./console-session";
import { createLink } from "./one-time-link";

/** Verification mails per address and hour. */
const perHour = 3;

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
    const recent = await tx.sql(
      `SELECT 1 FROM account_mails WHERE email = $1 AND kind = 'email_verification' AND created_at > $2`,
      [user.email, new Date(visitor.now.getTime() - 3_600_000)],
    );
    if (recent.length >= perHour)
      throw new DomainError(
        "rate_limited",
        "We sent three links in the last hour. Look into your junk folder, or try again later.",
      );
    await tx.sql(`DELETE FROM one_time_links WHERE purpose = 'email_verification' AND email = $1`, [user.email]);
    const link = await createLink(tx, visitor.now, { purpose: "email_verification", email: user.email, mailed: true });
    await queueAccountMail(tx, visitor.now, "email_verification", user.email, link);
  },
});
