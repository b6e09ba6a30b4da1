import { addressBlock } from "@/server/core/address-block";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { count, type Counted } from "@/server/core/limiter";

/** Headers that describe a rate limit (draft-ietf-httpapi-ratelimit-headers). */
export type LimitHeaders = Record<"RateLimit-Policy" | "RateLimit", string>;

/**
 * Counts a request, or several that came as one, against this key's limit of `perMinute`. Each process counts for
 * itself, so with several processes the real limit is a multiple (docs/decisions/064).
 * @throws DomainError `rate_limited` (429 with Retry-After).
 */
export async function consume(
  kind: "token" | "address" | PageKind,
  key: string,
  perMinute: number,
  requests = 1,
): Promise<LimitHeaders | null> {
  if (perMinute === 0) return null;
  const counted = count({ name: kind, points: perMinute, seconds: 60 }, key, requests);
  const told = headers(kind, perMinute, counted);
  if (!counted.isOver) return told;
  const seconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
  throw new DomainError("rate_limited", `More than ${perMinute} requests in a minute. Try again in ${seconds} s.`, {
    headers: { "retry-after": String(seconds), ...told },
  });
}

/** Counts one request of a caller without a valid token or session, by address. @throws DomainError `rate_limited`. */
export function consumeAddress(address: string): Promise<LimitHeaders | null> {
  return consume("address", addressBlock(address), env().RATE_LIMIT_ADDRESS);
}

/** What Next serves: a page, a part of a page that a browser prefetches, or a file that pages load. */
export type PageKind = "page" | "prefetch" | "file";

/**
 * How many of each kind a view of a page may cost. A page with links prefetches 3 to 4 parts and loads about 30 files.
 */
const perView: Record<PageKind, number> = { page: 1, prefetch: 5, file: 30 };

/**
 * Counts what Next serves by address. Each kind has its own count, separate from the API's, because a page also loads
 * data from the API.
 * @throws DomainError `rate_limited`.
 */
export function consumePage(address: string, kind: PageKind): Promise<LimitHeaders | null> {
  return consume(kind, addressBlock(address), env().RATE_LIMIT_ADDRESS * perView[kind]);
}

function headers(kind: string, perMinute: number, { remaining, msBeforeNext }: Counted): LimitHeaders {
  return {
    "RateLimit-Policy": `"${kind}";q=${perMinute};w=60`,
    RateLimit: `"${kind}";r=${remaining};t=${Math.ceil(msBeforeNext / 1000)}`,
  };
}
