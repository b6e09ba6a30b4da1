const units: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/**
 * Parses a duration of the protocol into milliseconds from `now`: `1d2h30m10s` (a sleep), a number of seconds
 * (retry-after) or a date (either).
 * Returns undefined for nothing and for any other text.
 */
export function parseDuration(text: string | null | undefined, now: Date): number | undefined {
  if (text === null || text === undefined) return undefined;
  // The SDK writes a sleep of zero length as the empty string.
  if (/^(\d+[wdhms])*$/.test(text))
    return [...text.matchAll(/(\d+)([wdhms])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * (units[unit!] ?? 0), 0);
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
