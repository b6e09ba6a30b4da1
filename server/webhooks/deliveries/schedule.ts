const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Waits after each failed attempt in ms: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (contract section 10).
 */
export const steps = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

const jitter = 0.2;

/**
 * Returns the milliseconds from a failed attempt to the next: the step, 20 % more or less, or `retryAfterMs` if that is
 * longer, up to twice the step. Null if the schedule is used up.
 * @param step how many steps were used before.
 */
export function nextDelay(step: number, retryAfterMs: number | null): number | null {
  const usual = steps[step];
  if (usual === undefined) return null;
  const spread = usual * (1 - jitter + 2 * jitter * Math.random());
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, 2 * usual)));
}

/**
 * Parses Retry-After (RFC 9110 section 10.2.3) into milliseconds: any number of seconds, or a date in one of the three
 * forms. Null if it is neither or the date is past.
 *
 * @example parseRetryAfter("120", now) // 120000
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * second;
  const at = asctime.test(text) ? Date.parse(`${text} GMT`) : dated.test(text) ? Date.parse(text) : NaN;
  return at > now.getTime() ? at - now.getTime() : null;
}

// RFC 9110 section 5.6.7: IMF-fixdate and RFC 850 dates name their zone, which is always GMT; asctime names none.
const dated = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -](\d{4}|\d\d) \d\d:\d\d:\d\d GMT$/;
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;
