const hour = 3_600_000;
const day = 24 * hour;

/**
 * Milliseconds before retry number `attempt` (1 is the first retry): 1 s, 3 s, 9 s … up to an hour, ±20 % so that runs
 * that failed together are not retried together.
 */
function backoff(attempt: number): number {
  return Math.min(hour, 1000 * 3 ** (attempt - 1)) * (0.8 + 0.4 * Math.random());
}

/**
 * Returns the delay before a retry in ms. A delay that the function asked for (`RetryAfterError`) takes precedence, up
 * to a day.
 */
export function retryDelay(attempt: number, askedForMs: number | undefined): number {
  return askedForMs === undefined ? backoff(attempt) : Math.min(askedForMs, day);
}
