import { parseDateTime } from "@internationalized/date";
import { isDay, isInstant, type Region } from "@/server/core/dates";
import { readDecimal } from "@/server/core/decimal";
import { line } from "@/server/core/input";
import type { AskedField } from "./fields";

/** Error messages of the form, by the name of the input. */
export type EntryErrors = Record<string, string>;

const text = line(300);

/**
 * Validates a submitted claim form and converts it to the data of a credential.
 * @param asksName whether the form has an input for the name
 * @param region the organisation's time zone, in which a time is entered, and the page's locale, for numbers
 */
export function readEntries(
  fields: readonly AskedField[],
  entered: Record<string, string>,
  asksName: boolean,
  region: Region,
): { name: string; data: Record<string, unknown> } | { errors: EntryErrors } {
  const errors: EntryErrors = {};
  const data: Record<string, unknown> = {};
  const take = (input: string, isRequired: boolean): string | null => {
    const read = text.safeParse(entered[input] ?? "");
    if (!read.success) {
      errors[input] = "Use plain text on one line, at most 300 characters.";
      return null;
    }
    if (read.data !== "") return read.data;
    if (isRequired) errors[input] = "Fill this in.";
    return null;
  };
  const name = asksName ? take("name", true) : null;
  for (const field of fields) {
    const value = take(field.name, field.isRequired);
    if (value === null) continue;
    const read = readers[field.format](value, region);
    if (read === null) errors[field.name] = wrong[field.format];
    else put(data, field.path, read);
  }
  return Object.keys(errors).length > 0 ? { errors } : { name: name ?? "", data };
}

/** Functions that convert an entered text to a value of the format; null if it is invalid. */
const readers: Record<AskedField["format"], (text: string, region: Region) => string | null> = {
  text: (text) => text,
  date: (text) => (isDay(text) || isInstant(text) ? text : null),
  datetime: (text, { timeZone }) => (isInstant(text) ? text : instantOf(text, timeZone)),
  number: (text, { locale }) => readDecimal(text, locale),
};

const wrong: Record<AskedField["format"], string> = {
  text: "",
  date: "Enter a date, such as 2029-01-19.",
  datetime: "Enter a day and a time, such as 2029-01-19T09:30.",
  number: "Enter a number, such as 12.5.",
};

/**
 * Returns the instant of a local time in a zone, such as 2029-01-19T09:30, as browsers send it; null for other text.
 */
function instantOf(local: string, timeZone: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(local)) return null;
  try {
    const instant = parseDateTime(local).toDate(timeZone).toISOString();
    // A time at the end of the year 9999 can be in the year 10000 in UTC.
    return isInstant(instant) ? instant : null;
  } catch {
    return null;
  }
}

function put(into: Record<string, unknown>, path: string[], value: string): void {
  let at = into;
  for (const part of path.slice(0, -1)) {
    if (!Object.hasOwn(at, part))
      Object.defineProperty(at, part, { value: {}, enumerable: true, configurable: true, writable: true });
    at = at[part] as Record<string, unknown>;
  }
  Object.defineProperty(at, path.at(-1)!, { value, enumerable: true, configurable: true, writable: true });
}
