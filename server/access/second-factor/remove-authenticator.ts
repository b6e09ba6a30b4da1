import { z } from "zod";
import { personCommand } from "@/server/core/operation";
import type { ConsoleSession } from "../console-session";
import { requireLiveSession } from "../session-stands";
import { confirmPerson, retypedPassword } from "./confirm-person";
import { endEarlierSignIns } from "./end-earlier-sign-ins";
import { auditFactor } from "./factor-changed";
import { keepRequired, lockPerson } from "./keep-required";

/**
 * Removes the authenticator app; does nothing if there is none. Ends the person's other sessions and leaves audit
 * entries.
 *
 * @throws DomainError invalid_credentials; second_factor_state if it is the last second factor and an organisation
 * requires one.
 */
export const removeAuthenticator = personCommand({
  name: "second_factors.remove_authenticator",
  input: z.strictObject({ password: retypedPassword }),
  prepare: (visitor, session: ConsoleSession, { password }) => confirmPerson(visitor, session, password),
  standing: requireLiveSession,
  async run(visitor, tx, session) {
    await lockPerson(tx, session);
    const removed = await tx.sql(
      `DELETE FROM authenticator_apps WHERE user_id = $1 AND confirmed_at IS NOT NULL RETURNING 1`,
      [session.user.id],
    );
    if (removed.length === 0) return;
    await keepRequired(tx, session);
    await endEarlierSignIns(tx, session, visitor.now);
    await auditFactor(visitor, tx, session, "user.authenticator_app_removed");
  },
});
