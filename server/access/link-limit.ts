import { addressBlock } from "@/server/core/address-block";
import { count, giveBack, type Limit } from "@/server/core/limiter";
import { rateLimited } from "@/server/core/rate-limited";
import type { Visitor } from "./visitor";

/**
 * Attempts to use a one-time link, per network. A valid link leads to estimating and hashing a password, which takes
 * some 50 ms.
 */
const ofAddress: Limit = { name: "link-attempt-address", points: 30, seconds: 15 * 60 };

/**
 * Counts an attempt to use a one-time link. Call it before the link is looked up, so that attempts sent at once all
 * count.
 *
 * @throws DomainError rate_limited (429 with Retry-After).
 */
export function admitLinkAttempt({ address }: Visitor): void {
  const { isOver, msBeforeNext } = count(ofAddress, addressBlock(address));
  if (isOver) throw rateLimited("Too many attempts with links.", msBeforeNext);
}

/** Call it after the link was used: the attempt no longer counts. */
export function forgiveLinkAttempt({ address }: Visitor): void {
  giveBack(ofAddress, addressBlock(address));
}
