import { addToInstant, dayOf, startOfDay } from "@/server/core/dates";

/** The time to which the times of a rule are relative. */
export interface Clock {
  now: Date;
  /** The organisation's time zone, for dates without a time and for counting days and longer units. */
  timeZone: string;
}

/** A point in time, with the days to which dates without a time are compared. */
export interface Moment {
  instant: Date;
  /** A date without a time is after the moment if it is greater than this. */
  lastDayNotAfter: string;
  /** A date without a time is before the moment if it is less than this. */
  firstDayNotBefore: string;
}

// PostgreSQL reads both forms too, with the same patterns (compile.ts). Years have four digits, so that days sort as
// text. There are no leap seconds.
export const dayForm = "[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])";
export const instantForm = `${dayForm}T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])`;

const day = new RegExp(`^${dayForm}$`);
const instant = new RegExp(`^${instantForm}$`);

/** Largest distance of a relative time, in each unit: about a hundred years. */
const units = { h: 876_000, d: 36_500, w: 5200, mo: 1200, y: 100 };
type Unit = keyof typeof units;
const relative = /^now(?:(?<sign>[+-])(?<amount>[0-9]{1,6})(?<unit>h|d|w|mo|y))?$/;

/** Whether the text is a day of the calendar in the form that rules compare. */
export const isDayText = (text: string): boolean => day.test(text) && isOnCalendar(text);

/** Whether the text is an instant in the form that rules compare: RFC 3339 with Z or an offset. */
export const isInstantText = (text: string): boolean => instant.test(text) && isOnCalendar(text.slice(0, 10));

/** Date.parse reads 31 February as 3 March. */
function isOnCalendar(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** Returns the instant of a text that is one, truncated to the millisecond. */
export const instantOf = (text: string): Date => new Date(text.replace(/(\.[0-9]{3})[0-9]+/, "$1"));

/** Whether the text can be the value of `before` or `after`. */
export function isTimeOperand(text: string): boolean {
  const groups = relative.exec(text)?.groups;
  if (!groups) return isDayText(text) || isInstantText(text);
  return groups["unit"] === undefined || Number(groups["amount"]) <= units[groups["unit"] as Unit];
}

/** Returns the moment that an operand means. The operand must satisfy isTimeOperand. */
export function momentOf(operand: string, { now, timeZone }: Clock): Moment {
  const at = isDayText(operand)
    ? startOfDay(operand, timeZone)
    : isInstantText(operand)
      ? instantOf(operand)
      : relativeTo(now, relative.exec(operand)!.groups!, timeZone);
  const within = dayOf(at, timeZone);
  const beginsDay = startOfDay(within, timeZone).getTime() === at.getTime();
  return { instant: at, lastDayNotAfter: within, firstDayNotBefore: beginsDay ? within : dayAfter(within) };
}

function relativeTo(now: Date, { sign, amount = "0", unit = "h" }: Record<string, string>, timeZone: string): Date {
  const n = sign === "-" ? -Number(amount) : Number(amount);
  switch (unit as Unit) {
    case "h":
      return new Date(now.getTime() + n * 3_600_000);
    case "d":
      return addToInstant(now, { days: n }, timeZone);
    case "w":
      return addToInstant(now, { weeks: n }, timeZone);
    case "mo":
      return addToInstant(now, { months: n }, timeZone);
    case "y":
      return addToInstant(now, { years: n }, timeZone);
  }
}

const dayAfter = (text: string) =>
  addToInstant(new Date(`${text}T00:00:00Z`), { days: 1 }, "UTC")
    .toISOString()
    .slice(0, 10);
