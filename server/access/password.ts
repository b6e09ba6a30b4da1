import { hash, verify } from "@node-rs/argon2";
import { z } from "zod";
import { accountEmail } from "@/server/core/email-address";
import { weakness } from "./password-strength";

// OWASP's recommendation for argon2id, written out so that a change of the library's defaults changes nothing here.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A new password: long rather than intricate, and none that is widely used (NIST SP 800-63B). The upper bound keeps hashing cheap. */
export const newPassword = z
  .string()
  .min(12, "must have at least 12 characters")
  .max(200)
  .superRefine((password, context) => {
    const weak = password.length < 12 ? null : weakness(password);
    if (weak) context.addIssue({ code: "custom", message: weak });
  });

/** A password as it is typed to be checked: bounded alone. */
export const typedPassword = z.string().max(200);

/** An e-mail address as it is kept and compared. */
export const emailAddress = accountEmail;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), cost);
}

let nobodys: Promise<string> | undefined;

/** Compares with the stored hash. Where there is none, the same work is done in vain, so that timing does not tell who has an account. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const expected = stored ?? (await (nobodys ??= hashPassword("nobody's password")));
  const matches = await verify(expected, password.normalize("NFKC"));
  return matches && typeof stored === "string";
}
