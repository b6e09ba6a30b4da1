/** What stands in the parts of a date field; a part that is empty or only begun is null. */
export interface TypedDate {
  day: number | null;
  month: number | null;
  year: number | null;
}

/** A year with fewer digits is still being typed. */
const firstWholeYear = 1000;

/** How many days the month has. Of an unknown year, February has 29. */
function daysIn(month: number, year: number | null): number {
  return new Date(Date.UTC(year !== null && year >= firstWholeYear ? year : 2000, month, 0)).getUTCDate();
}

/** Whether the calendar has no such day, such as 31 February; false while too little is typed to tell. */
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
