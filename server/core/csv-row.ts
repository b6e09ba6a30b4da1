import { guarded } from "./formula-guard";

export type CsvValue = string | number | boolean | Date | null | undefined | object;

/** Writes one line of CSV. Objects are written as JSON, absent values as empty fields. */
export function csvRow(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(",")}\r\n`;
}

function csvField(value: CsvValue): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") return quoted(harmlessJson(JSON.stringify(value)));
  return quoted(typeof value === "string" ? guarded(value) : String(value));
}

// Semicolons and tabs are quoted too, because some programs, such as Excel with a German locale, treat them as
// separators.
const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Applies the guard of formulas (formula-guard.ts) to JSON: a semicolon is always within a string, so the character after it can be escaped.
 */
function harmlessJson(json: string): string {
  return json.replace(
    /(;(?:\s|\\")*)([=+\-@|＝＋－＠])/g,
    (_, before: string, character: string) => `${before}\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
