import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { sql } from "@/server/core/db";
import type { ConsoleSession } from "../console-session";
import { checkPassword } from "../sign-in";
import type { Visitor } from "../visitor";

/** The password that a person types again before a change of their second factors. */
export const retypedPassword = z.string().max(200).default("");

/**
 * Checks the password again, so that an unlocked screen or a stolen session cookie cannot change second factors.
 * Accounts without a password sign in only with single sign-on; they are not asked.
 *
 * @throws DomainError invalid_credentials; rate_limited.
 */
export async function confirmPerson(visitor: Visitor, { user }: ConsoleSession, password: string): Promise<void> {
  const [row] = await sql<{ has: boolean }>(`SELECT password_hash IS NOT NULL AS has FROM users WHERE id = $1`, [
    user.id,
  ]);
  if (!row?.has) return;
  if (!password) throw new DomainError("invalid_credentials", "Enter your password to go on.");
  await checkPassword(visitor, user.email, password);
}
