import { DomainError } from "@/server/core/errors";
import { uuidOf, type Id } from "@/server/core/ids";
import { count, forget, type Limit } from "@/server/core/limiter";
import { admitGuess, forgiveGuesses, isPlaceOf } from "../guessing";

// Whoever guesses codes knows the password, and can come from many addresses: this counts by account, after the limits
// of the address (5 in a quarter of an hour). It does not hold for places from which the person signed in before. Six
// digits with three codes valid at a time: 20 guesses an hour find one of them in a year with a chance of about 40 %,
// so an attack takes months and shows.
const ofAccount: Limit = { name: "guess-second-factor", points: 20, seconds: 3600 };

const keyOf = (userId: Id<"usr">) => `second-factor:${uuidOf(userId)}`;

/**
 * Asked before an answer is looked at.
 * @param userId null before anybody is known: a passkey alone, which cannot be guessed; many people of one network may
 *   use theirs at once
 * @throws DomainError rate_limited.
 */
export async function admitFactorGuess(userId: Id<"usr"> | null, address: string): Promise<void> {
  if (!userId) return;
  admitGuess(keyOf(userId), address);
  const { isOver, msBeforeNext } = count(ofAccount, uuidOf(userId));
  if (!isOver || (await isPlaceOf(userId, address))) return;
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  throw new DomainError(
    "rate_limited",
    `Too many wrong codes for this account. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    { headers: { "retry-after": String(seconds) } },
  );
}

/** The answer was right: it no longer counts, and neither do the wrong ones before it. */
export function forgiveFactorGuesses(userId: Id<"usr"> | null, address: string): void {
  if (!userId) return;
  forgiveGuesses(keyOf(userId), address);
  forget(ofAccount, uuidOf(userId));
}
