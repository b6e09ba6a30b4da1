import { keyText, type Id } from "./ids";
import type { Download } from "./download";

export type CsvValue = string | number | boolean | Date | null | undefined | object;

/** Rows that a page of an export holds: few enough to keep in memory at 64 KiB of attributes each. */
const pageSize = 250;

interface Export<Row> {
  fileName: string;
  columns: readonly string[];
  /** The rows behind `after`, at most `take`. Null for the first ones. */
  fetch(after: string | null, take: number): Promise<Row[]>;
  keyOf(row: NoInfer<Row>): string | Id;
  /** The values of the rows of one page, in the order of the columns. */
  values(rows: NoInfer<Row>[]): Promise<CsvValue[][]> | CsvValue[][];
}

/**
 * A list as a CSV file (RFC 4180, UTF-8 with a byte order mark, which Excel needs to read accents). It is read page by
 * page by key as the client takes it: memory stays constant, no connection or transaction is held while the client
 * reads, and nothing is read any more once the client has gone. The first page is read before this returns, so that a
 * refusal is still an answer of its own.
 */
export async function csvDownload<Row>({ fileName, columns, fetch, keyOf, values }: Export<Row>): Promise<Download> {
  const pageAfter = async (after: string | null) => {
    const rows = await fetch(after, pageSize);
    const text = (await values(rows)).map(csvRow).join("");
    return { text, after: rows.length < pageSize ? null : keyText(keyOf(rows.at(-1)!)) };
  };
  const first = await pageAfter(null);
  async function* chunks() {
    yield `\ufeff${csvRow(columns)}${first.text}`;
    for (let { after } = first; after !== null; ) {
      const page = await pageAfter(after);
      if (page.text !== "") yield page.text;
      after = page.after;
    }
  }
  return { type: "text/csv; charset=utf-8", fileName, chunks: chunks() };
}

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
