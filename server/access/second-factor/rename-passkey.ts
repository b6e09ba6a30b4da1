import { z } from "zod";
import { notFound } from "@/server/core/errors";
import { id, parseInput } from "@/server/core/input";
import { transaction } from "@/server/core/transaction";
import type { ConsoleSession } from "../console-session";
import type { Visitor } from "../visitor";
import { passkeyName } from "./add-passkey";
import { auditFactor } from "./factor-changed";

const renameInput = z.strictObject({ id, name: passkeyName });

/** Names a passkey. Leaves audit entries. @throws DomainError not_found. */
export async function renamePasskey(visitor: Visitor, session: ConsoleSession, input: z.input<typeof renameInput>): Promise<void> {
  const { id: passkeyId, name } = parseInput(renameInput, input);
  await transaction(async (tx) => {
    const renamed = await tx.sql(`UPDATE passkeys SET name = $3 WHERE id = $2 AND user_id = $1 RETURNING 1`, [session.user.id, passkeyId, name]);
    if (renamed.length === 0) throw notFound("passkey", passkeyId);
    await auditFactor(visitor, tx, session, "user.passkey_renamed", { passkeyId, name });
  });
}
