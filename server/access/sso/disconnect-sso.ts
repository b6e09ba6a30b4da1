import { z } from "zod";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { personCommand } from "@/server/core/operation";
import type { ConsoleSession } from "../console-session";
import { requireLiveSession } from "../session-stands";
import { confirmPerson, retypedPassword } from "../second-factor/confirm-person";
import { endEarlierSignIns } from "../second-factor/end-earlier-sign-ins";
import { auditFactor } from "../second-factor/factor-changed";

/**
 * Disconnects single sign-on; does nothing if it is not connected. Ends the person's other sessions and leaves audit
 * entries.
 *
 * @throws DomainError password_missing without a password: the person could no longer sign in.
 */
export const disconnectSso = personCommand({
  name: "sso.disconnect",
  input: z.strictObject({ password: retypedPassword }),
  prepare: (visitor, session: ConsoleSession, { password }) => confirmPerson(visitor, session, password),
  standing: requireLiveSession,
  async run(visitor, tx, session) {
    const { id } = session.user;
    const [user] = await tx.sql<{ has: boolean }>(
      `SELECT password_hash IS NOT NULL AS has FROM users WHERE id = $1 FOR UPDATE`,
      [id],
    );
    if (!user!.has)
      throw new DomainError(
        "password_missing",
        "Your account has no password. Choose one first, with “Forgot your password?” on the sign-in page.",
      );
    const removed = await tx.sql(`DELETE FROM sso_identities WHERE user_id = $1 AND issuer = $2 RETURNING 1`, [
      id,
      env().OIDC_ISSUER ?? "",
    ]);
    if (removed.length === 0) return;
    await endEarlierSignIns(tx, session, visitor.now);
    await auditFactor(visitor, tx, session, "user.sso_disconnected");
  },
});
