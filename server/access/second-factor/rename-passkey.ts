import { z } from "zod";
import { notFound } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { personCommand } from "@/server/core/operation";
import type { ConsoleSession } from "../console-session";
import { passkeyName } from "./add-passkey";
import { auditFactor } from "./factor-changed";

/**
 * Renames a passkey. Leaves audit entries.
 *
 * @throws DomainError not_found.
 */
export const renamePasskey = personCommand({
  name: "second_factors.rename_passkey",
  input: z.strictObject({ id: id("psk"), name: passkeyName }),
  async run(visitor, tx, session: ConsoleSession, { id: passkeyId, name }) {
    const renamed = await tx.sql(`UPDATE passkeys SET name = $3 WHERE id = $2 AND user_id = $1 RETURNING 1`, [
      session.user.id,
      passkeyId,
      name,
    ]);
    if (renamed.length === 0) throw notFound("passkey", publicId("psk", passkeyId));
    await auditFactor(visitor, tx, session, "user.passkey_renamed", { passkeyId, name });
  },
});
