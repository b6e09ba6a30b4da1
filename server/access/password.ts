import { hash, verify } from "@node-rs/argon2";
import { z } from "zod";
import { accountEmail } from "@/server/core/email-address";
import { refusePersonal, refuseWeak } from "./password-strength";

// OWASP's recommendation for argon2id, written out so that a change of the library's defaults changes nothing here.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A new password: long rather than complex (NIST SP 800-63B). The schema checks only the length. The strength check
 * takes milliseconds, so hashNewPassword does it once the caller is admitted.
 */
export const newPassword = z.string().min(12, "must have at least 12 characters").max(200, { abort: true });

/** A password typed for checking against the stored one: only its length is limited. */
export const typedPassword = z.string().max(200);

/** An e-mail address in the form in which it is stored and compared. */
export const emailAddress = accountEmail;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), cost);
}

/**
 * Hashes a new password, unless it is easy to guess. Both are slow, so check the link, the session or the current
 * password first.
 *
 * @throws DomainError invalid_request at /password
 */
export function hashNewPassword(password: string, about: { email: string; organisations: string[] }): Promise<string> {
  refusePersonal(password, about);
  refuseWeak(password);
  return hashPassword(password);
}

let nobodys: Promise<string> | undefined;

/**
 * Compares a password with the stored hash. Without a stored hash it does the same work and returns false, so that
 * timing does not reveal which accounts exist.
 */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const expected = stored ?? (await (nobodys ??= hashPassword("nobody's password")));
  const matches = await verify(expected, password.normalize("NFKC"));
  return matches && typeof stored === "string";
}
