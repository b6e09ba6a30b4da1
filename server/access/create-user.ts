import type { Id } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";
import { DomainError } from "@/server/core/errors";
import { queueAccountMail, sendsMail } from "./account-mail";
import { createLink } from "./one-time-link";

interface NewUser {
  id: Id<"usr">;
  email: string;
  name: string;
  /** Null for a person who signs in only with single sign-on. */
  passwordHash: string | null;
  /**
   * True if the person has proved that they read mail at this address. If false and mail is configured, they are sent a
   * link to prove it.
   */
  isVerified: boolean;
  now: Date;
}

/**
 * Creates an account.
 *
 * @throws DomainError email_taken.
 */
export async function createUser(tx: Tx, { id, email, name, passwordHash, isVerified, now }: NewUser): Promise<void> {
  const made = await tx.sql(
    `INSERT INTO users (id, email, name, password_hash, email_verified_at, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (email) DO NOTHING RETURNING id`,
    [id, email, name, passwordHash, isVerified ? now : null, now],
  );
  if (made.length === 0)
    throw new DomainError("email_taken", "There is an account with this e-mail address. Sign in with it.");
  if (isVerified || !sendsMail()) return;
  const link = await createLink(tx, now, { purpose: "email_verification", email, mailed: true });
  await queueAccountMail(tx, now, "email_verification", email, link);
}
