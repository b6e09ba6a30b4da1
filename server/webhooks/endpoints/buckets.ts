/** Durations are counted in buckets that grow by a fifth, so that a percentile is off by a tenth at most. */
const growth = Math.log(1.2);

/** 0 for less than a fifth of a millisecond, 52 for 15 s. */
export function bucketOf(durationMs: number): number {
  return Math.floor(Math.log(Math.max(0, durationMs) + 1) / growth);
}

/** The middle of a bucket, in milliseconds. */
export function durationOf(bucket: number): number {
  return Math.round(Math.exp((bucket + 0.5) * growth) - 1);
}

/** The duration that `share` of all attempts did not exceed; null where there is none. */
export function percentile(counts: { bucket: number; attempts: number }[], share: number): number | null {
  const ordered = counts.toSorted((a, b) => a.bucket - b.bucket);
  let left = Math.ceil(share * ordered.reduce((sum, c) => sum + c.attempts, 0));
  for (const { bucket, attempts } of ordered) {
    left -= attempts;
    if (left <= 0) return durationOf(bucket);
  }
  return null;
}
