import { z } from "zod";
import { addressBlock } from "@/server/core/address-block";
import { DomainError } from "@/server/core/errors";
import { count, type Limit } from "@/server/core/limiter";
import { visitorCommand } from "@/server/core/operation";
import { queueAccountMail, sendsMail } from "./account-mail";
import { emailAddress } from "./password";

/**
 * Requests of one network: a person mistypes an address a few times. How many letters one address gets is bounded where
 * they are sent.
 */
const ofAddress: Limit = { name: "reset-request-address", points: 10, seconds: 15 * 60 };

/**
 * Asks for a link to choose a new password, by e-mail. It only queues the request: whether there is an account is
 * looked up when the mail is sent, so the answer is the same and takes as long for every address. The audit entry is
 * left then, too.
 * @throws DomainError unavailable where no SMTP server is configured; rate_limited.
 */
export const requestPasswordReset = visitorCommand({
  name: "users.request_password_reset",
  input: z.strictObject({ email: emailAddress }),
  async prepare({ address }) {
    if (!sendsMail())
      throw new DomainError(
        "unavailable",
        "This service sends no e-mail. Ask its administrator for a link to choose a new password.",
      );
    const { isOver, msBeforeNext } = count(ofAddress, addressBlock(address));
    if (!isOver) return;
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    throw new DomainError("rate_limited", `Too many requests. Try again in ${Math.ceil(seconds / 60)} minutes.`, {
      headers: { "retry-after": String(seconds) },
    });
  },
  run: (visitor, tx, { email }) => queueAccountMail(tx, visitor.now, "password_reset", email),
});
