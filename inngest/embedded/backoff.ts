const hour = 3_600_000;
const day = 24 * hour;

/**
 * Milliseconds before attempt number `attempt` (1 is the first retry): 1 s, 3 s, 9 s … at most an hour, ±20 % so that
 * what failed together does not come back together.
 */
function backoff(attempt: number): number {
  return Math.min(hour, 1000 * 3 ** (attempt - 1)) * (0.8 + 0.4 * Math.random());
}

/** What a function asked for itself (`RetryAfterError`) goes before, up to a day. */
export function retryDelay(attempt: number, askedForMs: number | undefined): number {
  return askedForMs === undefined ? backoff(attempt) : Math.min(askedForMs, day);
}
