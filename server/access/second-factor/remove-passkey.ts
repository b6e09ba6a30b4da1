import { z } from "zod";
import { notFound } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { personCommand } from "@/server/core/operation";
import type { ConsoleSession } from "../console-session";
import { requireLiveSession } from "../session-stands";
import { confirmPerson, retypedPassword } from "./confirm-person";
import { endEarlierSignIns } from "./end-earlier-sign-ins";
import { auditFactor } from "./factor-changed";
import { keepRequired, lockPerson } from "./keep-required";

/**
 * Removes a passkey. Ends the person's other sessions and leaves audit entries.
 *
 * @throws DomainError not_found; invalid_credentials; second_factor_state if it is the last second factor and an
 * organisation requires one.
 */
export const removePasskey = personCommand({
  name: "second_factors.remove_passkey",
  input: z.strictObject({ id: id("psk"), password: retypedPassword }),
  prepare: (visitor, session: ConsoleSession, { password }) => confirmPerson(visitor, session, password),
  standing: requireLiveSession,
  async run(visitor, tx, session, { id: passkeyId }) {
    await lockPerson(tx, session);
    const [removed] = await tx.sql<{ name: string }>(
      `DELETE FROM passkeys WHERE id = $2 AND user_id = $1 RETURNING name`,
      [session.user.id, passkeyId],
    );
    if (!removed) throw notFound("passkey", publicId("psk", passkeyId));
    await keepRequired(tx, session);
    await endEarlierSignIns(tx, session, visitor.now);
    await auditFactor(visitor, tx, session, "user.passkey_removed", { passkeyId, name: removed.name });
  },
});
