import type { Tx } from "@/server/core/transaction";
import { DomainError } from "@/server/core/errors";

interface NewUser {
  id: string;
  email: string;
  name: string;
  passwordHash: string;
  now: Date;
}

/** Makes an account. @throws DomainError email_taken. */
export async function createUser(tx: Tx, { id, email, name, passwordHash, now }: NewUser): Promise<void> {
  const made = await tx.sql(
    `INSERT INTO users (id, email, name, password_hash, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (email) DO NOTHING RETURNING id`,
    [id, email, name, passwordHash, now],
  );
  if (made.length === 0) throw new DomainError("email_taken", "There is an account with this e-mail address. Sign in with it.");
}
