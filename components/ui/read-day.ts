import { formatDay, isDay } from "@/server/core/dates";
import { inWords, isImpossible } from "./impossible-date";

/** The meaning of a typed text: nothing, a day such as 2029-01-19, or an error with its message. */
export type ReadDay = { day: string; problem: null } | { day: null; problem: string } | { day: null; problem: null };

type Part = "day" | "month" | "year";

/**
 * Parses a day in the order of the locale, with any separators or none, or as 2029-01-19. The year needs four digits,
 * so that no century is guessed. A text that is not a valid day is never converted to another day.
 */
export function readDay(text: string, locale: string): ReadDay {
  const typed = digitsOf(text).trim();
  if (typed === "") return { day: null, problem: null };
  const parts = partsOf(typed, locale);
  if (!parts) return { day: null, problem: `Write the whole day, such as ${writeDay(exampleDay(), locale)}.` };
  const day = [String(parts.year), pad(parts.month), pad(parts.day)].join("-");
  if (isDay(day)) return { day, problem: null };
  return {
    day: null,
    problem:
      parts.month >= 1 && parts.month <= 12 && isImpossible(parts)
        ? `There is no ${inWords(parts, locale)}.`
        : `This is not a date. Write it as ${writeDay(exampleDay(), locale)}.`,
  };
}

/** Formats a day such as 2029-01-19 as it is typed in the locale: 19/01/2029. */
export function writeDay(day: string, locale: string): string {
  return numeric(locale).format(new Date(day));
}

/** Returns the format of a typed day in the locale: dd/mm/yyyy. */
export function dayPattern(locale: string): string {
  const letters: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = { day: "dd", month: "mm", year: "yyyy" };
  return numeric(locale)
    .formatToParts(0)
    .map(({ type, value }) => letters[type] ?? value)
    .join("");
}

/** Formats a day in words, so that a reader sees whether 03/12 or 12/03 was meant: 3 December 2029. */
export function sayDay(day: string, locale: string): string {
  return formatDay(day, { timeZone: "UTC", locale });
}

function partsOf(text: string, locale: string): Record<Part, number> | null {
  const order = numeric(locale)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type): type is Part => type === "day" || type === "month" || type === "year");
  const numbers = /^\d{8}$/.test(text)
    ? inOrder(text, order)
    : /^\d+(?:[^\p{L}\d]+\d+){2}[^\p{L}\d]*$/u.test(text)
      ? text.match(/\d+/g)!
      : null;
  if (!numbers) return null;
  const named = numbers[0]!.length === 4 ? (["year", "month", "day"] as const) : order;
  const parts = { day: 0, month: 0, year: 0 };
  for (const [i, part] of named.entries()) {
    const digits = numbers[i]!;
    if (part === "year" ? !/^[1-9]\d{3}$/.test(digits) : digits.length > 2) return null;
    parts[part] = Number(digits);
  }
  return parts;
}

/** Eight digits without separators, in the order of the locale. */
function inOrder(text: string, order: readonly Part[]): string[] {
  let at = 0;
  return order.map((part) => text.slice(at, (at += part === "year" ? 4 : 2)));
}

/** Converts the digits of any script to 0 to 9. */
function digitsOf(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    // The ten digits of a script have consecutive code points, from its zero on.
    const point = digit.codePointAt(0)!;
    let zero = point;
    while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String(point - zero);
  });
}

function exampleDay(): string {
  return `${new Date().getFullYear() + 1}-12-31`;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

function numeric(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
    timeZone: "UTC",
    calendar: "gregory",
    numberingSystem: "latn",
  });
}
