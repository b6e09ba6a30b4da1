import { DomainError } from "@/server/core/errors";
import type { Tx } from "@/server/core/transaction";
import type { ConsoleSession } from "../console-session";
import { hasSecondFactor } from "./has-second-factor";

/**
 * Call it after removing a second factor. Refuses if the person has none left and one of their organisations requires
 * it; otherwise removes the recovery codes of a person without a second factor.
 *
 * @throws DomainError second_factor_state.
 */
export async function keepRequired(tx: Tx, { user, memberships }: ConsoleSession): Promise<void> {
  if (await hasSecondFactor(tx.sql, user.id)) return;
  const requiring = memberships.find((m) => m.requiresSecondFactor);
  if (requiring)
    throw new DomainError(
      "second_factor_state",
      `${requiring.name} requires a second factor. Set up another one before you remove the last.`,
    );
  await tx.sql(`DELETE FROM recovery_codes WHERE user_id = $1`, [user.id]);
}

/** Serialises the changes of one person's second factors. */
export async function lockPerson(tx: Tx, { user }: ConsoleSession): Promise<void> {
  await tx.sql(`SELECT 1 FROM users WHERE id = $1 FOR UPDATE`, [user.id]);
}
