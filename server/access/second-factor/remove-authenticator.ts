import { z } from "zod";
import { parseInput } from "@/server/core/input";
import { transaction } from "@/server/core/transaction";
import type { ConsoleSession } from "../console-session";
import type { Visitor } from "../visitor";
import { confirmPerson, retypedPassword } from "./confirm-person";
import { auditFactor } from "./factor-changed";
import { keepRequired, lockPerson } from "./keep-required";

const removeInput = z.strictObject({ password: retypedPassword });

/**
 * Removes the authenticator app. Leaves audit entries. One that is not there is left so.
 * @throws DomainError invalid_credentials; second_factor_state where an organisation requires it and it is the last.
 */
export async function removeAuthenticator(visitor: Visitor, session: ConsoleSession, input: z.input<typeof removeInput>): Promise<void> {
  const { password } = parseInput(removeInput, input);
  await confirmPerson(visitor, session, password);
  await transaction(async (tx) => {
    await lockPerson(tx, session);
    const removed = await tx.sql(`DELETE FROM authenticator_apps WHERE user_id = $1 AND confirmed_at IS NOT NULL RETURNING 1`, [session.user.id]);
    if (removed.length === 0) return;
    await keepRequired(tx, session);
    await auditFactor(visitor, tx, session, "user.authenticator_app_removed");
  });
}
