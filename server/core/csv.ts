import { keyText, type Id } from "./ids";
import { csvRow, type CsvValue } from "./csv-row";
import type { Download } from "./download";

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
