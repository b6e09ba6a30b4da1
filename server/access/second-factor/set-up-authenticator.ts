import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { personCommand } from "@/server/core/operation";
import { encrypt } from "@/server/core/secrets";
import type { ConsoleSession } from "../console-session";
import { requireLiveSession } from "../session-stands";
import { boundTo, newSecret, totp } from "./authenticator-code";
import { confirmPerson, retypedPassword } from "./confirm-person";

/**
 * Begins to set up an authenticator app: creates a secret, whose URL the app reads from a QR code. The app counts as a
 * second factor only after confirmAuthenticator, which leaves the audit entries. Beginning again replaces the secret.
 *
 * @throws DomainError invalid_credentials; second_factor_state if there is an app already.
 */
export const setUpAuthenticator = personCommand({
  name: "second_factors.set_up_authenticator",
  input: z.strictObject({ password: retypedPassword }),
  prepare: (visitor, session: ConsoleSession, { password }) => confirmPerson(visitor, session, password),
  standing: requireLiveSession,
  async run(visitor, tx, { user: { id, email } }) {
    const secret = newSecret();
    const begun = await tx.sql(
      `INSERT INTO authenticator_apps (user_id, secret, created_at) VALUES ($1, $2, $3)
       ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at, last_step = 0 WHERE authenticator_apps.confirmed_at IS NULL RETURNING 1`,
      [id, encrypt(secret, boundTo(id)), visitor.now],
    );
    if (begun.length === 0)
      throw new DomainError(
        "second_factor_state",
        "An authenticator app is set up already. Remove it first to use another one.",
      );
    return { secret, url: totp(secret, email).toString() };
  },
});
