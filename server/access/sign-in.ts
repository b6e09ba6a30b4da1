import { z } from "zod";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { DomainError } from "@/server/core/errors";
import { line, parseInput } from "@/server/core/input";
import { admitAccountGuess, admitGuess, forgiveAccountGuess, forgiveGuesses } from "./guessing";
import { passwordMatches, typedPassword } from "./password";
import { recordSecurityEvent } from "./security-events";
import { createChallenge } from "./second-factor/challenge";
import { hasSecondFactor } from "./second-factor/has-second-factor";
import { startSession, type SignedIn } from "./start-session";
import type { Visitor } from "./visitor";

const signInInput = z.strictObject({ email: line(320).toLowerCase(), password: typedPassword });

interface UserRow {
  id: Id<"usr">;
  password_hash: string | null;
  session_version: number;
  disabled: boolean;
}

/**
 * Thrown if the password was right and the account has a second factor. `token` goes into the browser's sign-in cookie.
 */
export class SecondFactorNeeded extends DomainError {
  constructor(readonly token: string) {
    super("second_factor_required", "Confirm that it is you with your second factor.");
  }
}

/**
 * Checks an e-mail address and a password, and starts a session if the account has no second factor. Leaves an entry in
 * the audit log of the organisation that the session begins in.
 *
 * @throws DomainError invalid_credentials, with the same content and timing for an unknown address as for a wrong
 * password; rate_limited.
 * @throws SecondFactorNeeded if the account has a second factor; completeSignIn continues from there.
 */
export async function signIn(visitor: Visitor, input: z.input<typeof signInInput>): Promise<SignedIn> {
  const { email, password } = parseInput(signInInput, input);
  const { id, session_version: sessionVersion } = await checkPassword(visitor, email, password);
  if (await hasSecondFactor(sql, id)) {
    throw new SecondFactorNeeded(
      await createChallenge(sql, visitor.now, { purpose: "sign_in", userId: id, sessionVersion, proof: "password" }),
    );
  }
  return transaction((tx) => startSession(visitor, tx, { id, sessionVersion }, ["password"]));
}

/**
 * Returns the user with this address and password, if the account is not disabled. Wrong passwords are counted and
 * recorded. Limits are checked first, so a refused attempt costs no hash.
 */
export async function checkPassword(visitor: Visitor, email: string, password: string): Promise<UserRow> {
  const { address, requestId, now: at } = visitor;
  const note = (type: "sign_in_failed" | "sign_in_limited") =>
    recordSecurityEvent({ type, account: { email }, address, requestId, at });
  try {
    admitGuess(email, address);
    await admitAccountGuess(email, address);
  } catch (error) {
    if (error instanceof DomainError) note("sign_in_limited");
    throw error;
  }
  const [user] = await sql<UserRow>(
    `SELECT id, password_hash, session_version, disabled_at IS NOT NULL AS disabled FROM users WHERE email = $1`,
    [email],
  );
  if (!(await passwordMatches(user?.password_hash, password)) || !user || user.disabled) {
    note("sign_in_failed");
    throw new DomainError("invalid_credentials", "The e-mail address or the password is wrong.");
  }
  forgiveGuesses(email, address);
  forgiveAccountGuess(email);
  return user;
}
