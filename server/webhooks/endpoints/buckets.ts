/**
 * Attempts are counted in buckets of duration, each 20 % wider than the one below, so a percentile is off by at most 10
 * %.
 */
const growth = Math.log(1.2);

/** Returns the bucket of a duration: 0 for less than 0.2 ms, 15 for 15 ms, 52 for 15 s. */
export function bucketOf(durationMs: number): number {
  return Math.floor(Math.log(Math.max(0, durationMs) + 1) / growth);
}

/** Returns the middle of a bucket in milliseconds. */
export function durationOf(bucket: number): number {
  return Math.round(Math.exp((bucket + 0.5) * growth) - 1);
}

/** Returns the duration in milliseconds that `share` (0 to 1) of all attempts did not exceed; null without attempts. */
export function percentile(counts: { bucket: number; attempts: number }[], share: number): number | null {
  const ordered = counts.toSorted((a, b) => a.bucket - b.bucket);
  let left = Math.ceil(share * ordered.reduce((sum, c) => sum + c.attempts, 0));
  for (const { bucket, attempts } of ordered) {
    left -= attempts;
    if (left <= 0) return durationOf(bucket);
  }
  return null;
}
