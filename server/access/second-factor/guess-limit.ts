import { DomainError } from "@/server/core/errors";
import { count, forget, type Limit } from "@/server/core/limiter";
import { admitGuess, forgiveGuesses } from "../guessing";

// Whoever guesses codes knows the password, and can come from many addresses: this counts by account alone. Six digits with three
// codes valid at a time: 20 guesses an hour find one of them in a year with a chance of about 40 %, so an attack takes months and shows.
const ofAccount: Limit = { name: "guess-second-factor", points: 20, seconds: 3600 };

const keyOf = (userId: string | null) => `second-factor:${userId ?? "passkey"}`;

/** Asked before an answer is looked at. @throws DomainError rate_limited. */
export function admitFactorGuess(userId: string | null, address: string): void {
  admitGuess(keyOf(userId), address);
  if (!userId) return;
  const { isOver, msBeforeNext } = count(ofAccount, userId);
  if (!isOver) return;
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  throw new DomainError("rate_limited", `Too many wrong codes for this account. Try again in ${Math.ceil(seconds / 60)} minutes.`, { headers: { "retry-after": String(seconds) } });
}

/** The answer was right: it no longer counts, and neither do the wrong ones before it. */
export function forgiveFactorGuesses(userId: string | null, address: string): void {
  forgiveGuesses(keyOf(userId), address);
  if (userId) forget(ofAccount, userId);
}
