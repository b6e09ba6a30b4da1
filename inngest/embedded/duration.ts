const units: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/**
 * Milliseconds from now of a duration as the protocol writes it: `1d2h30m10s` (a sleep), a number of seconds
 * (retry-after), or a date (either). Undefined for nothing and for what is none of these.
 */
export function parseDuration(text: string | null | undefined, now: Date): number | undefined {
  if (text === null || text === undefined) return undefined;
  // A sleep of no time at all is the empty string.
  if (/^(\d+[wdhms])*$/.test(text))
    return [...text.matchAll(/(\d+)([wdhms])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * (units[unit!] ?? 0), 0);
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
