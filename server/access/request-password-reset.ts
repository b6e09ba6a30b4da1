import { z } from "zod";
import { addressBlock } from "@/server/core/address-block";
import { DomainError } from "@/server/core/errors";
import { count, type Limit } from "@/server/core/limiter";
import { visitorCommand } from "@/server/core/operation";
import { rateLimited } from "@/server/core/rate-limited";
import { queueAccountMail, sendsMail } from "./account-mail";
import { emailAddress } from "./password";

/**
 * Requests per network; a person may mistype their address a few times. The number of mails per address is limited
 * where they are sent.
 */
const ofAddress: Limit = { name: "reset-request-address", points: 10, seconds: 15 * 60 };

/**
 * Requests a mail with a link to choose a new password. It only queues the request: the account is looked up, and the
 * audit entry written, when the mail is sent. So the response and its timing are the same for every address.
 *
 * @throws DomainError mail_not_configured if no SMTP server is configured; rate_limited.
 */
export const requestPasswordReset = visitorCommand({
  name: "users.request_password_reset",
  input: z.strictObject({ email: emailAddress }),
  async prepare({ address }) {
    if (!sendsMail())
      throw new DomainError(
        "mail_not_configured",
        "This service sends no e-mail. Ask its administrator for a link to choose a new password.",
      );
    const { isOver, msBeforeNext } = count(ofAddress, addressBlock(address));
    if (isOver) throw rateLimited("Too many requests.", msBeforeNext);
  },
  run: (visitor, tx, { email }) => queueAccountMail(tx, visitor.now, "password_reset", email),
});
