import { addressBlock } from "@/server/core/address-block";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { count, forget, giveBack, type Limit } from "@/server/core/limiter";
import { rateLimited } from "@/server/core/rate-limited";

const quarterHour = 15 * 60;

// These limits count only wrong guesses.
/** Stops one address from trying many accounts. */
const ofAddress: Limit = { name: "guess-address", points: 50, seconds: quarterHour };
/** Counts by account and address together, so that nobody can lock another person out of their usual place. */
const ofPair: Limit = { name: "guess-pair", points: 5, seconds: quarterHour };
/**
 * Stops many addresses from guessing at one account together. Does not apply to places from which the person signed in
 * before.
 */
const ofAccount: Limit = { name: "guess-account", points: 100, seconds: 24 * 3600 };

const keysOf = (account: string, address: string) => {
  const block = addressBlock(address);
  return { pair: `${block} ${account}`, block };
};

/**
 * Counts a guess and refuses it over the limit. Call it before the guess is checked or hashed. The address's limit
 * comes first, and a guess that it refuses does not count against the account. A guess counts until it proves right, so
 * guesses sent at once all count.
 *
 * @throws DomainError rate_limited (429 with Retry-After).
 */
export function admitGuess(account: string, address: string): void {
  const { pair, block } = keysOf(account, address);
  for (const counted of [() => count(ofAddress, block), () => count(ofPair, pair)]) {
    const { isOver, msBeforeNext } = counted();
    if (isOver) throw rateLimited("Too many wrong passwords.", msBeforeNext);
  }
}

/** Call it after a right guess: neither it nor the earlier wrong ones of this account and address count any more. */
export function forgiveGuesses(account: string, address: string): void {
  const { pair, block } = keysOf(account, address);
  forget(ofPair, pair);
  giveBack(ofAddress, block);
}

/**
 * Counts a guess at an account's password across all addresses, against a daily budget. Once the budget is used up,
 * guesses are still admitted from the addresses of the person's own sessions of the last month, so a stranger cannot
 * lock the person out of their usual places. A new password by link resets the budget.
 *
 * @throws DomainError rate_limited
 */
export async function admitAccountGuess(email: string, address: string): Promise<void> {
  const { isOver, msBeforeNext } = count(ofAccount, email);
  if (!isOver || (await isKnownPlace(email, address))) return;
  throw rateLimited(
    "Too many wrong passwords for this account, from places where nobody signed in to it before. Sign in where you did before, choose a new password by a link, or wait.",
    msBeforeNext,
  );
}

/** Call it after a right password. Wrong guesses of others still count. */
export function forgiveAccountGuess(email: string): void {
  giveBack(ofAccount, email);
}

/** Resets the budget of an account after a new password, since earlier guesses say nothing about it. */
export function forgetAccountGuesses(email: string): void {
  forget(ofAccount, email);
}

async function isKnownPlace(email: string, address: string): Promise<boolean> {
  const [user] = await sql<{ id: Id<"usr"> }>(`SELECT id FROM users WHERE email = $1`, [email]);
  return user !== undefined && isPlaceOf(user.id, address);
}

/** True if a session of this person in the last month, also an ended one, came from this address or its network. */
export async function isPlaceOf(userId: Id<"usr">, address: string): Promise<boolean> {
  const places = await sql<{ address: string }>(
    `SELECT DISTINCT address FROM console_sessions WHERE user_id = $1 LIMIT 200`,
    [userId],
  );
  const block = addressBlock(address);
  return places.some((place) => addressBlock(place.address) === block);
}
