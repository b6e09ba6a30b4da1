import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { parseInput } from "@/server/core/input";
import { transaction } from "@/server/core/transaction";
import type { ConsoleSession } from "../console-session";
import type { Visitor } from "../visitor";
import { confirmPerson, retypedPassword } from "./confirm-person";
import { auditFactor } from "./factor-changed";
import { hasSecondFactor } from "./has-second-factor";
import { lockPerson } from "./keep-required";
import { replaceRecoveryCodes } from "./recovery-codes";

const makeInput = z.strictObject({ password: retypedPassword });

/**
 * Makes ten new recovery codes and returns them, this once; the earlier ones stop working. Leaves audit entries.
 * @throws DomainError invalid_credentials; second_factor_state without a second factor.
 */
export async function makeRecoveryCodes(visitor: Visitor, session: ConsoleSession, input: z.input<typeof makeInput>) {
  const { password } = parseInput(makeInput, input);
  await confirmPerson(visitor, session, password);
  return transaction(async (tx) => {
    await lockPerson(tx, session);
    if (!(await hasSecondFactor(tx.sql, session.user.id))) throw new DomainError("second_factor_state", "Set up a second factor first: recovery codes stand in for it.");
    await auditFactor(visitor, tx, session, "user.recovery_codes_made");
    return { recoveryCodes: await replaceRecoveryCodes(tx.sql, session.user.id, visitor.now) };
  });
}
