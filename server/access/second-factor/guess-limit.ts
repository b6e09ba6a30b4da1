import { uuidOf, type Id } from "@/server/core/ids";
import { count, forget, type Limit } from "@/server/core/limiter";
import { rateLimited } from "@/server/core/rate-limited";
import { admitGuess, forgiveGuesses, isPlaceOf } from "../guessing";

// Somebody who guesses codes already knows the password and can use many addresses, so this limit counts by account,
// after the address's limit (5 in a quarter of an hour). It does not apply to places from which the person signed in
// before. Six digits with three codes valid at a time: 20 guesses an hour find one of them in a year with a chance of
// about 40 %, so an attack takes months and is noticed.
const ofAccount: Limit = { name: "guess-second-factor", points: 20, seconds: 3600 };

const keyOf = (userId: Id<"usr">) => `second-factor:${uuidOf(userId)}`;

/**
 * Counts a guess and refuses it over the limit. Call it before the answer is checked.
 *
 * @param userId null while the person is unknown (a passkey alone): it cannot be guessed, and many people of one
 * network may sign in at once, so nothing is counted
 * @throws DomainError rate_limited.
 */
export async function admitFactorGuess(userId: Id<"usr"> | null, address: string): Promise<void> {
  if (!userId) return;
  admitGuess(keyOf(userId), address);
  const { isOver, msBeforeNext } = count(ofAccount, uuidOf(userId));
  if (!isOver || (await isPlaceOf(userId, address))) return;
  throw rateLimited("Too many wrong codes for this account.", msBeforeNext);
}

/** Call it after a right answer: neither it nor the earlier wrong ones count any more. */
export function forgiveFactorGuesses(userId: Id<"usr"> | null, address: string): void {
  if (!userId) return;
  forgiveGuesses(keyOf(userId), address);
  forget(ofAccount, uuidOf(userId));
}
