import { z } from "zod";
import { notFound } from "@/server/core/errors";
import { id, parseInput } from "@/server/core/input";
import { transaction } from "@/server/core/transaction";
import type { ConsoleSession } from "../console-session";
import type { Visitor } from "../visitor";
import { confirmPerson, retypedPassword } from "./confirm-person";
import { auditFactor } from "./factor-changed";
import { keepRequired, lockPerson } from "./keep-required";

const removeInput = z.strictObject({ id, password: retypedPassword });

/**
 * Removes a passkey. Leaves audit entries.
 * @throws DomainError not_found; invalid_credentials; second_factor_state where an organisation requires it and it is the last.
 */
export async function removePasskey(visitor: Visitor, session: ConsoleSession, input: z.input<typeof removeInput>): Promise<void> {
  const { id: passkeyId, password } = parseInput(removeInput, input);
  await confirmPerson(visitor, session, password);
  await transaction(async (tx) => {
    await lockPerson(tx, session);
    const [removed] = await tx.sql<{ name: string }>(`DELETE FROM passkeys WHERE id = $2 AND user_id = $1 RETURNING name`, [session.user.id, passkeyId]);
    if (!removed) throw notFound("passkey", passkeyId);
    await keepRequired(tx, session);
    await auditFactor(visitor, tx, session, "user.passkey_removed", { passkeyId, name: removed.name });
  });
}
