import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { personCommand } from "@/server/core/operation";
import type { ConsoleSession } from "../console-session";
import { requireLiveSession } from "../session-stands";
import { spendCode } from "./authenticator-code";
import { endEarlierSignIns } from "./end-earlier-sign-ins";
import { auditFactor } from "./factor-changed";
import { admitFactorGuess, forgiveFactorGuesses } from "./guess-limit";
import { firstRecoveryCodes } from "./recovery-codes";

/**
 * Makes an authenticator app a second factor once a code proves that it is set up correctly. Ends the person's other
 * sessions and leaves audit entries.
 *
 * @returns ten recovery codes, shown once, if it is the first second factor; otherwise null
 * @throws DomainError invalid_second_factor; rate_limited.
 */
export const confirmAuthenticator = personCommand({
  name: "second_factors.confirm_authenticator",
  input: z.strictObject({ code: z.string().max(64) }),
  prepare: async (visitor, { user }: ConsoleSession) => admitFactorGuess(user.id, visitor.address),
  standing: requireLiveSession,
  async run(visitor, tx, session, { code }) {
    const { id } = session.user;
    if (!(await spendCode(tx.sql, id, code, visitor.now, "new"))) {
      throw new DomainError(
        "invalid_second_factor",
        "This code is wrong. Check that the clock of your device is right, wait for the next code and try again.",
      );
    }
    await tx.sql(`UPDATE authenticator_apps SET confirmed_at = $2 WHERE user_id = $1`, [id, visitor.now]);
    await auditFactor(visitor, tx, session, "user.authenticator_app_added");
    await endEarlierSignIns(tx, session, visitor.now);
    forgiveFactorGuesses(id, visitor.address);
    return { recoveryCodes: await firstRecoveryCodes(tx.sql, id, visitor.now) };
  },
});
