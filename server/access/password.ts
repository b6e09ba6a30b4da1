import { hash, verify } from "@node-rs/argon2";
import { z } from "zod";
import { accountEmail } from "@/server/core/email-address";
import { refusePersonal, refuseWeak } from "./password-strength";

// OWASP's recommendation for argon2id, written out so that a change of the library's defaults changes nothing here.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A new password: long rather than intricate (NIST SP 800-63B). The schema checks the length alone. Whether the
 * password is easy to guess costs milliseconds to tell, so hashNewPassword tells it, after the caller was admitted.
 */
export const newPassword = z.string().min(12, "must have at least 12 characters").max(200, { abort: true });

/** A password as it is typed to be checked: bounded alone. */
export const typedPassword = z.string().max(200);

/** An e-mail address as it is kept and compared. */
export const emailAddress = accountEmail;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), cost);
}

/**
 * Hashes a new password, unless it is easy to guess. Both are slow: check the link, the session or the current password
 * before.
 * @throws DomainError invalid_request at /password
 */
export function hashNewPassword(password: string, about: { email: string; organisations: string[] }): Promise<string> {
  refusePersonal(password, about);
  refuseWeak(password);
  return hashPassword(password);
}

let nobodys: Promise<string> | undefined;

/**
 * Compares with the stored hash. Where there is none, the same work is done in vain, so that timing does not tell who
 * has an account.
 */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const expected = stored ?? (await (nobodys ??= hashPassword("nobody's password")));
  const matches = await verify(expected, password.normalize("NFKC"));
  return matches && typeof stored === "string";
}
