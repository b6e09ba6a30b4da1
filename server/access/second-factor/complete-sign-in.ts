import { z } from "zod";
import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { parseInput } from "@/server/core/input";
import { transaction, type Tx } from "@/server/core/transaction";
import { recordSecurityEvent } from "../security-events";
import { startSession, type Proof, type SignedIn } from "../start-session";
import type { Visitor } from "../visitor";
import { spendCode } from "./authenticator-code";
import { admitAnswer, redeemChallenge, type Challenge } from "./challenge";
import { checkPasskey } from "./check-passkey";
import { admitFactorGuess, forgiveFactorGuesses } from "./guess-limit";
import { hasSecondFactor } from "./has-second-factor";
import { assertion } from "./passkey-answer";
import { spendRecoveryCode } from "./recovery-codes";

const typedCode = z.string().max(64);
const answerInput = z.union([
  z.strictObject({ code: typedCode }),
  z.strictObject({ recoveryCode: typedCode }),
  z.strictObject({ passkey: assertion }),
  /** No further answer is needed: single sign-on of a person without a second factor. */
  z.strictObject({}),
]);
type SecondFactorAnswer = z.output<typeof answerInput>;

/**
 * Completes a sign-in by its second step, or by a passkey as the only step: checks the answer and starts the session.
 *
 * @param token the token in the sign-in cookie
 * @throws DomainError sign_in_expired; invalid_second_factor; rate_limited, with the limits of passwords.
 */
export async function completeSignIn(
  visitor: Visitor,
  token: string,
  input: z.input<typeof answerInput>,
): Promise<SignedIn> {
  const answer = parseInput(answerInput, input);
  const challenge = await admitAnswer(sql, token, visitor.now);
  const session = await admitted(visitor, challenge.userId, () =>
    transaction(async (tx) => {
      const proven = await prove(tx, challenge, answer, visitor.now);
      if (!proven) throw new DomainError("invalid_second_factor", wrong(answer));
      // In the same transaction, so that a right code is used up only if this sign-in was still open.
      await redeemChallenge(tx.sql, token, "sign_in", visitor.now);
      return startSession(visitor, tx, proven.user, [...(challenge.proof ? [challenge.proof] : []), ...proven.proofs]);
    }),
  );
  forgiveFactorGuesses(challenge.userId, visitor.address);
  return session;
}

/** Counts the guess, and records a security event if it is wrong or over the limit. */
async function admitted<T>(
  { address, requestId, now: at }: Visitor,
  userId: Id<"usr"> | null,
  guess: () => Promise<T>,
): Promise<T> {
  try {
    await admitFactorGuess(userId, address);
    return await guess();
  } catch (error) {
    const code = error instanceof DomainError ? error.code : undefined;
    const type =
      code === "invalid_second_factor" ? "second_factor_failed" : code === "rate_limited" ? "sign_in_limited" : null;
    if (type) recordSecurityEvent({ type, ...(userId && { account: { id: userId } }), address, requestId, at });
    throw error;
  }
}

interface Proven {
  user: { id: Id<"usr">; sessionVersion: number };
  proofs: Proof[];
}

async function prove({ sql }: Tx, challenge: Challenge, answer: SecondFactorAnswer, now: Date): Promise<Proven | null> {
  if ("passkey" in answer) {
    const user = await checkPasskey(sql, challenge, answer.passkey, now);
    return user && { user, proofs: ["passkey"] };
  }
  const { userId, sessionVersion } = challenge;
  if (userId === null || sessionVersion === null) return null;
  const user = { id: userId, sessionVersion };
  if ("code" in answer)
    return (await spendCode(sql, userId, answer.code, now)) ? { user, proofs: ["authenticator_app"] } : null;
  if ("recoveryCode" in answer)
    return (await spendRecoveryCode(sql, userId, answer.recoveryCode, now))
      ? { user, proofs: ["recovery_code"] }
      : null;
  return (await hasSecondFactor(sql, userId)) ? null : { user, proofs: [] };
}

function wrong(answer: SecondFactorAnswer): string {
  if ("passkey" in answer) return "This passkey was not accepted. Try again, or use another way.";
  if ("recoveryCode" in answer) return "This recovery code is wrong or was used already.";
  return "This code is wrong or was used already. Wait for the next one and try again.";
}
