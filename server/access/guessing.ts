import { RateLimiterMemory } from "rate-limiter-flexible";
import { addressBlock } from "@/server/core/address-block";
import { DomainError } from "@/server/core/errors";

const quarterHour = 15 * 60;

// Wrong passwords alone count. By account and address together, so that nobody can lock another person out; by address, so
// that one guesser cannot walk through accounts.
const ofPair = new RateLimiterMemory({ points: 5, duration: quarterHour });
const ofAddress = new RateLimiterMemory({ points: 50, duration: quarterHour });

const keysOf = (email: string, address: string) => {
  const block = addressBlock(address);
  return { pair: `${block} ${email}`, block };
};

/**
 * Asked before a password is looked at. The guess counts until it proves right, so that guesses sent at once count too.
 * @throws DomainError rate_limited (429 with Retry-After).
 */
export async function admitGuess(email: string, address: string): Promise<void> {
  const { pair, block } = keysOf(email, address);
  const results = await Promise.allSettled([ofPair.consume(pair), ofAddress.consume(block)]);
  const waits = results.filter((r) => r.status === "rejected").map((r) => (r.reason as { msBeforeNext: number }).msBeforeNext);
  if (waits.length === 0) return;
  const seconds = Math.ceil(Math.max(1000, ...waits) / 1000);
  throw new DomainError("rate_limited", `Too many wrong passwords. Try again in ${Math.ceil(seconds / 60)} minutes.`, {
    headers: { "retry-after": String(seconds) },
  });
}

/** The guess was right: it no longer counts, and neither do the wrong ones before it. */
export async function forgiveGuesses(email: string, address: string): Promise<void> {
  const { pair, block } = keysOf(email, address);
  await Promise.all([ofPair.delete(pair), ofAddress.reward(block)]);
}
