import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { personCommand } from "@/server/core/operation";
import type { ConsoleSession } from "../console-session";
import { requireLiveSession } from "../session-stands";
import { confirmPerson, retypedPassword } from "./confirm-person";
import { auditFactor } from "./factor-changed";
import { hasSecondFactor } from "./has-second-factor";
import { lockPerson } from "./keep-required";
import { replaceRecoveryCodes } from "./recovery-codes";

/**
 * Creates ten new recovery codes and returns them once; the earlier ones stop working. Leaves audit entries.
 *
 * @throws DomainError invalid_credentials; second_factor_state without a second factor.
 */
export const makeRecoveryCodes = personCommand({
  name: "second_factors.make_recovery_codes",
  input: z.strictObject({ password: retypedPassword }),
  prepare: (visitor, session: ConsoleSession, { password }) => confirmPerson(visitor, session, password),
  standing: requireLiveSession,
  async run(visitor, tx, session) {
    await lockPerson(tx, session);
    if (!(await hasSecondFactor(tx.sql, session.user.id)))
      throw new DomainError("second_factor_state", "Set up a second factor first: recovery codes stand in for it.");
    await auditFactor(visitor, tx, session, "user.recovery_codes_made");
    return { recoveryCodes: await replaceRecoveryCodes(tx.sql, session.user.id, visitor.now) };
  },
});
