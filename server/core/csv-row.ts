export type CsvValue = string | number | boolean | Date | null | undefined | object;

/** One line. Objects are written as JSON, absent values as nothing. */
export function csvRow(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(",")}\r\n`;
}

function csvField(value: CsvValue): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") return quoted(harmlessJson(JSON.stringify(value)));
  return quoted(typeof value === "string" ? harmless(value) : String(value));
}

// Semicolons and tabs too: where they separate columns, as in Excel with a German locale, an unquoted cell would fall
// apart.
const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Spreadsheets run a cell that begins with one of these characters as a formula (OWASP, CSV injection). An apostrophe
 * before it makes it text. Plain numbers such as -5 stay as they are. The same holds behind each semicolon, tab and
 * line break: a program that separates columns by semicolons sees no quotes that begin in the middle of a column, and
 * begins a cell there.
 */
function harmless(text: string): string {
  const inside = text.replace(/([;\t\r\n])(?=[\s"]*[=+\-@|＝＋－＠])(?!\s*[+-]?\d+(?:\.\d+)?(?:[;\t\r\n]|$))/g, "$1'");
  return /^\s*[=+\-@\t\r|＝＋－＠]/.test(text) && !/^[+-]?\d+(?:\.\d+)?$/.test(text) ? `'${inside}` : inside;
}

/**
 * JSON with the same guard: a semicolon is always within a string, and the character behind it can be written as an
 * escape.
 */
function harmlessJson(json: string): string {
  return json.replace(
    /(;(?:\s|\\")*)([=+\-@|＝＋－＠])/g,
    (_, before: string, character: string) => `${before}\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
