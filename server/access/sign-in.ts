import { z } from "zod";
import { sql } from "@/server/core/db";
import { transaction } from "@/server/core/transaction";
import { DomainError } from "@/server/core/errors";
import { newId } from "@/server/core/ids";
import { line, parseInput } from "@/server/core/input";
import { audit } from "./audit";
import { admitGuess, forgiveGuesses } from "./guessing";
import { membershipsOf } from "./memberships";
import { passwordMatches, typedPassword } from "./password";
import { admitted, type Visitor } from "./visitor";

const signInInput = z.strictObject({ email: line(320).toLowerCase(), password: typedPassword });

/** What a session of the console rests on. `sessionVersion` is compared at each request. */
export interface SignedIn {
  /** Of this one session, so that signing out ends it and no other. */
  sessionId: string;
  userId: string;
  sessionVersion: number;
  /** The organisation to begin in: the first joined. Null for someone who was removed from all. */
  orgId: string | null;
}

interface UserRow {
  id: string;
  password_hash: string | null;
  session_version: number;
}

/**
 * Checks an e-mail address and a password. A sign-in leaves an entry in the audit log of the organisation that it leads to.
 * @throws DomainError invalid_credentials, the same and as slow for an unknown address as for a wrong password; rate_limited.
 */
export async function signIn(visitor: Visitor, input: z.input<typeof signInInput>): Promise<SignedIn> {
  const { email, password } = parseInput(signInInput, input);
  const user = await checkPassword(email, password, visitor.address);
  return transaction(async (tx) => {
    const [first] = await membershipsOf(tx.sql, user.id);
    if (first) await audit(admitted(visitor, tx, first.orgId, user.id), "session.started", { type: "user", id: user.id });
    return { sessionId: newId("ses"), userId: user.id, sessionVersion: user.session_version, orgId: first?.orgId ?? null };
  });
}

/** The user of this address, where the password is theirs. Wrong ones are counted. */
export async function checkPassword(email: string, password: string, address: string): Promise<UserRow> {
  await admitGuess(email, address);
  const [user] = await sql<UserRow>(`SELECT id, password_hash, session_version FROM users WHERE email = $1`, [email]);
  if (!(await passwordMatches(user?.password_hash, password)) || !user) {
    throw new DomainError("invalid_credentials", "The e-mail address or the password is wrong.");
  }
  await forgiveGuesses(email, address);
  return user;
}
