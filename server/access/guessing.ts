import { addressBlock } from "@/server/core/address-block";
import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { count, forget, giveBack, type Limit } from "@/server/core/limiter";

const quarterHour = 15 * 60;

// Wrong guesses alone count.
/** So that one guesser cannot walk through accounts. */
const ofAddress: Limit = { name: "guess-address", points: 50, seconds: quarterHour };
/** By account and address together, so that nobody can lock another person out of their usual place. */
const ofPair: Limit = { name: "guess-pair", points: 5, seconds: quarterHour };
/**
 * So that many addresses together cannot guess on. It does not hold for places from which the person signed in before.
 */
const ofAccount: Limit = { name: "guess-account", points: 100, seconds: 24 * 3600 };

const keysOf = (account: string, address: string) => {
  const block = addressBlock(address);
  return { pair: `${block} ${account}`, block };
};

/**
 * Asked before a guess is looked at, and before anything is hashed: the address first, which ends it there. The guess
 * counts until it proves right, so that guesses sent at once count too.
 * @throws DomainError rate_limited (429 with Retry-After).
 */
export function admitGuess(account: string, address: string): void {
  const { pair, block } = keysOf(account, address);
  for (const counted of [() => count(ofAddress, block), () => count(ofPair, pair)]) {
    const { isOver, msBeforeNext } = counted();
    if (isOver) throw limited("Too many wrong passwords.", msBeforeNext);
  }
}

/** The guess was right: it no longer counts, and neither do the wrong ones before it. */
export function forgiveGuesses(account: string, address: string): void {
  const { pair, block } = keysOf(account, address);
  forget(ofPair, pair);
  giveBack(ofAddress, block);
}

/**
 * A slow budget for passwords of one account, across all addresses. Where it is used up, guesses are still admitted
 * from the addresses of the person's own sessions of the last month, so that a stranger who uses it up locks nobody out
 * of their usual places; and a new password by link ends it.
 * @throws DomainError rate_limited
 */
export async function admitAccountGuess(email: string, address: string): Promise<void> {
  const { isOver, msBeforeNext } = count(ofAccount, email);
  if (!isOver || (await isKnownPlace(email, address))) return;
  throw limited(
    "Too many wrong passwords for this account, from places where nobody signed in to it before. Sign in where you did before, choose a new password by a link, or wait.",
    msBeforeNext,
  );
}

/** The password was right. What others guessed wrong still counts. */
export function forgiveAccountGuess(email: string): void {
  giveBack(ofAccount, email);
}

/** For a new password: nothing that was guessed before tells of it. */
export function forgetAccountGuesses(email: string): void {
  forget(ofAccount, email);
}

async function isKnownPlace(email: string, address: string): Promise<boolean> {
  const [user] = await sql<{ id: Id<"usr"> }>(`SELECT id FROM users WHERE email = $1`, [email]);
  return user !== undefined && isPlaceOf(user.id, address);
}

/** Whether a person's sessions of the last month, ended ones too, came from this address or its network. */
export async function isPlaceOf(userId: Id<"usr">, address: string): Promise<boolean> {
  const places = await sql<{ address: string }>(
    `SELECT DISTINCT address FROM console_sessions WHERE user_id = $1 LIMIT 200`,
    [userId],
  );
  const block = addressBlock(address);
  return places.some((place) => addressBlock(place.address) === block);
}

function limited(what: string, msBeforeNext: number): DomainError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes > 90 ? `${Math.ceil(minutes / 60)} hours` : minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new DomainError("rate_limited", `${what} Try again in ${wait}.`, {
    headers: { "retry-after": String(seconds) },
  });
}
