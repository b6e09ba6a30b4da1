import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { sql } from "@/server/core/db";
import type { ConsoleSession } from "../console-session";
import { checkPassword } from "../sign-in";
import type { Visitor } from "../visitor";

/** The password that a person types again before their second factors change. */
export const retypedPassword = z.string().max(200).default("");

/**
 * Asks for the password again, so that an unlocked screen or a stolen session cookie changes no second factor. Accounts
 * without a password sign in with single sign-on alone and are asked nothing.
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
