/** The parts of a date field; a part that is empty or incomplete is null. */
export interface TypedDate {
  day: number | null;
  month: number | null;
  year: number | null;
}

/** A year with fewer digits is incomplete. */
const firstWholeYear = 1000;

/** The number of days of the month. February of an unknown year has 29. */
function daysIn(month: number, year: number | null): number {
  return new Date(Date.UTC(year !== null && year >= firstWholeYear ? year : 2000, month, 0)).getUTCDate();
}

/** Whether the calendar has no such day, such as 31 February; false while the date is too incomplete to decide. */
export function isImpossible({ day, month, year }: TypedDate): boolean {
  return day !== null && month !== null && day > daysIn(month, year);
}

/** "31 February 2026" */
export function inWords({ day, month, year }: TypedDate, locale: string): string {
  const name = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" }).format(
    Date.UTC(2000, (month ?? 1) - 1, 1),
  );
  return [day, name, year !== null && year >= firstWholeYear ? year : null].filter((part) => part !== null).join(" ");
}
