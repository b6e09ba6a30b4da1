import { isDay, isInstant } from "@/server/core/dates";
import { readDecimal } from "@/server/core/decimal";
import { line } from "@/server/core/input";
import type { AskedField } from "./fields";

/** Error messages of the form, by the name of the input. */
export type EntryErrors = Record<string, string>;

const text = line(300);

/**
 * Validates a submitted claim form and converts it to the data of a credential.
 * @param asksName whether the form has an input for the name
 * @param locale that of the page, in which people write numbers
 */
export function readEntries(
  fields: readonly AskedField[],
  entered: Record<string, string>,
  asksName: boolean,
  locale: string,
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
    const read = field.format === "number" ? readDecimal(value, locale) : value;
    const wrong = wrongFormat(field, read);
    if (wrong !== null) errors[field.name] = wrong;
    else put(data, field.path, read!);
  }
  return Object.keys(errors).length > 0 ? { errors } : { name: name ?? "", data };
}

function wrongFormat({ format }: AskedField, value: string | null): string | null {
  if (value === null) return "Enter a number, such as 12.5.";
  if (format === "date" && !isDay(value) && !isInstant(value)) return "Enter a date, such as 2029-01-19.";
  if (format === "datetime" && !isInstant(value)) return "Enter a time with its zone, such as 2029-01-19T09:30:00Z.";
  return null;
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
