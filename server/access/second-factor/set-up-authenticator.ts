import { z } from "zod";
import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { parseInput } from "@/server/core/input";
import { encrypt } from "@/server/core/secrets";
import type { ConsoleSession } from "../console-session";
import type { Visitor } from "../visitor";
import { boundTo, newSecret, totp } from "./authenticator-code";
import { confirmPerson, retypedPassword } from "./confirm-person";

const setUpInput = z.strictObject({ password: retypedPassword });

/**
 * Begins to set up an authenticator app: makes a secret, whose URL the person's app reads from a QR code. It counts from its
 * confirmation on (confirmAuthenticator); begun again, the earlier secret is forgotten.
 * @throws DomainError invalid_credentials; second_factor_state where there is an app already.
 */
export async function setUpAuthenticator(visitor: Visitor, session: ConsoleSession, input: z.input<typeof setUpInput>) {
  const { password } = parseInput(setUpInput, input);
  await confirmPerson(visitor, session, password);
  const { id, email } = session.user;
  const secret = newSecret();
  const begun = await sql(
    `INSERT INTO authenticator_apps (user_id, secret, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at, last_step = 0 WHERE authenticator_apps.confirmed_at IS NULL RETURNING 1`,
    [id, encrypt(secret, boundTo(id)), visitor.now],
  );
  if (begun.length === 0) throw new DomainError("second_factor_state", "An authenticator app is set up already. Remove it first to use another one.");
  return { secret, url: totp(secret, email).toString() };
}
