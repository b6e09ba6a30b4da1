import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { parseInput } from "@/server/core/input";
import { transaction } from "@/server/core/transaction";
import type { ConsoleSession } from "../console-session";
import type { Visitor } from "../visitor";
import { spendCode } from "./authenticator-code";
import { auditFactor } from "./factor-changed";
import { admitFactorGuess, forgiveFactorGuesses } from "./guess-limit";
import { firstRecoveryCodes } from "./recovery-codes";

const confirmInput = z.strictObject({ code: z.string().max(64) });

/**
 * Makes an authenticator app a second factor, once a code shows that it is set up right. Leaves audit entries.
 * @returns ten recovery codes, this once, where it is the first second factor; otherwise null
 * @throws DomainError invalid_second_factor; rate_limited.
 */
export async function confirmAuthenticator(visitor: Visitor, session: ConsoleSession, input: z.input<typeof confirmInput>) {
  const { code } = parseInput(confirmInput, input);
  const { id } = session.user;
  await admitFactorGuess(id, visitor.address);
  const recoveryCodes = await transaction(async (tx) => {
    if (!(await spendCode(tx.sql, id, code, visitor.now, "new"))) {
      throw new DomainError("invalid_second_factor", "This code is wrong. Check that the clock of your device is right, wait for the next code and try again.");
    }
    await tx.sql(`UPDATE authenticator_apps SET confirmed_at = $2 WHERE user_id = $1`, [id, visitor.now]);
    await auditFactor(visitor, tx, session, "user.authenticator_app_added");
    return firstRecoveryCodes(tx.sql, id, visitor.now);
  });
  await forgiveFactorGuesses(id, visitor.address);
  return { recoveryCodes };
}
