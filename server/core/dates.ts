import { fromDate, parseDate } from "@internationalized/date";

// Days, instants and how both are written. The server and the browser use this one module, so that a card, a list, an
// e-mail and a verification show the same day. `expiresAt` is an exclusive instant; people see the last day before it
// (contract section 1).

/**
 * How an organisation writes dates: an IANA time zone such as Europe/Berlin and a BCP 47 locale such as en-GB. All
 * locales use the Gregorian calendar, because people of different countries compare the same credential.
 */
export interface Region {
  timeZone: string;
  locale: string;
}

export const defaultRegion: Region = { timeZone: "UTC", locale: "en-GB" };

/** True for a day of the calendar without a time, such as 2029-01-19. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  // Date.parse turns 31 February into 3 March.
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** True for an RFC 3339 instant, such as 2029-01-19T12:00:00Z. */
export function isInstant(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/i.test(text) &&
    isDay(text.slice(0, 10)) &&
    !Number.isNaN(Date.parse(text))
  );
}

/**
 * The first instant of a day such as 2029-01-19. It is later than 00:00 if a clock change skips midnight.
 */
export function startOfDay(day: string, timeZone: string): Date {
  return parseDate(day).toDate(timeZone);
}

/** The exclusive end of what is valid through a day: the first instant of the next day. */
export function endOfDay(day: string, timeZone: string): Date {
  return parseDate(day).add({ days: 1 }).toDate(timeZone);
}

const dayParts = { year: "numeric", month: "2-digit", day: "2-digit" } as const;

/** The day in which an instant falls, such as 2029-01-19. */
export function dayOf(instant: Date | string, timeZone: string): string {
  // Sweden writes days as ISO 8601 does, but not years before 1000.
  return formatter("sv-SE", timeZone, dayParts).format(new Date(instant)).padStart(10, "0");
}

/** The last day before an exclusive end: the day of the millisecond before it. */
export function lastDayOf(end: Date | string, timeZone: string): string {
  return dayOf(new Date(new Date(end).getTime() - 1), timeZone);
}

/** True if `end` is the end of a whole day. 23:59:59 counts too: many systems send it for "through this day". */
export function endsWithDay(end: Date | string, timeZone: string): boolean {
  const at = new Date(end).getTime();
  return dayOf(new Date(at + 1000), timeZone) !== dayOf(new Date(at - 1), timeZone);
}

/** The last `n` days in a time zone, oldest first, today among them: dates such as 2026-11-20. */
export function lastDays(now: Date, timeZone: string, n: number): string[] {
  const days = [dayOf(now, timeZone)];
  while (days.length < n) days.unshift(dayOf(new Date(startOfDay(days[0]!, timeZone).getTime() - 1), timeZone));
  return days;
}

/**
 * Adds calendar units to an instant and keeps the time of day in the time zone, even across a clock change.
 */
export function addToInstant(
  from: Date,
  duration: { days?: number; weeks?: number; months?: number; years?: number },
  timeZone: string,
): Date {
  return fromDate(from, timeZone).add(duration).toDate();
}

const dayStyles = {
  long: { dateStyle: "long" },
  short: { day: "numeric", month: "short" },
  weekday: { weekday: "long", day: "numeric", month: "long" },
  numeric: { day: "2-digit", month: "2-digit", year: "numeric" },
  month: { month: "long", year: "numeric" },
  year: { year: "numeric" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/**
 * Writes a day such as 2029-01-19, or the day in which an instant falls: 19 January 2029; short, 19 Jan; weekday,
 * Friday 19 January; numeric, 19/01/2029; month, January 2029; year, 2029.
 */
export function formatDay(
  dayOrInstant: Date | string,
  { timeZone, locale }: Region,
  style: keyof typeof dayStyles = "long",
): string {
  const zone = typeof dayOrInstant === "string" && isDay(dayOrInstant) ? "UTC" : timeZone;
  return formatter(locale, zone, dayStyles[style]).format(new Date(dayOrInstant));
}

/** Writes an instant to the minute and names the zone: 19 January 2029 at 14:05 CET. */
export function formatMoment(instant: Date | string, { timeZone, locale }: Region): string {
  return formatter(locale, timeZone, {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(new Date(instant));
}

/** Writes the time of day of an instant and names the zone: 14:05 CET. */
export function formatZonedClock(instant: Date | string, { timeZone, locale }: Region): string {
  return formatter(locale, timeZone, { hour: "numeric", minute: "2-digit", timeZoneName: "short" }).format(
    new Date(instant),
  );
}

/** Writes the time of day of an instant: 14:05, or 2:05 PM where the locale counts so. */
export function formatClock(instant: Date | string, { timeZone, locale }: Region): string {
  return formatter(locale, timeZone, { hour: "2-digit", minute: "2-digit" }).format(new Date(instant));
}

const exactStyle = { dateStyle: "long", timeStyle: "long" } as const;

/** Writes an instant to the second and names the zone: 19 January 2029 at 14:05:09 CET. */
export function formatExact(instant: Date | string, { timeZone, locale }: Region): string {
  return formatter(locale, timeZone, exactStyle).format(new Date(instant));
}

/**
 * Writes an exclusive end as the last day before it: 19 January 2029. Use it on cards, lists, public pages, passes and
 * in mails.
 */
export function formatUntil(end: Date | string, region: Region): string {
  return formatDay(lastDayOf(end, region.timeZone), region);
}

/**
 * As formatUntil, with the time if it ends within that day: 19 January 2029 at 14:05 CET. Use it where the exact end
 * matters: the details of a credential in the console, its dialogs, and the words of a verification.
 */
export function formatExactUntil(end: Date | string, region: Region): string {
  return endsWithDay(end, region.timeZone)
    ? formatDay(lastDayOf(end, region.timeZone), region)
    : formatMoment(end, region);
}

/** Writes a beginning as its day, with the time unless it begins with the day. */
export function formatFrom(start: Date | string, region: Region): string {
  const at = new Date(start).getTime();
  const beginsDay = dayOf(new Date(at), region.timeZone) !== dayOf(new Date(at - 1), region.timeZone);
  return beginsDay ? formatDay(start, region) : formatMoment(start, region);
}

/**
 * True for the name of a time zone that this runtime knows, such as Europe/Berlin. Offsets such as +05:30 are no names.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The canonical spelling of a BCP 47 locale in which this runtime can write dates; undefined for anything else. */
export function canonicalLocale(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([tag])[0];
  } catch {
    return undefined;
  }
}

const formatters = new Map<string, Intl.DateTimeFormat>();
const keys = new WeakMap<object, string>();

/** Styles that are written down once have their key made once. */
function keyOf(options: Intl.DateTimeFormatOptions): string {
  let key = keys.get(options);
  if (key === undefined) keys.set(options, (key = JSON.stringify(options)));
  return key;
}

/** Formatters are cached: making one costs about 50 µs, using one 1 µs. */
function formatter(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${keyOf(options)}`;
  let made = formatters.get(key);
  if (!made)
    formatters.set(key, (made = new Intl.DateTimeFormat(locale, { ...options, timeZone, calendar: "gregory" })));
  return made;
}
