import { keyText, type Id } from "./ids";
import { csvRow, type CsvValue } from "./csv-row";
import type { Download } from "./download";

/** Rows of one page of an export: few enough to keep in memory with 64 KiB of attributes each. */
const pageSize = 250;

interface Export<Row> {
  fileName: string;
  columns: readonly string[];
  /** Reads at most `take` rows after the key `after`; null for the first ones. */
  fetch(after: string | null, take: number): Promise<Row[]>;
  keyOf(row: NoInfer<Row>): string | Id;
  /** The values of the rows of one page, in the order of the columns. */
  values(rows: NoInfer<Row>[]): Promise<CsvValue[][]> | CsvValue[][];
}

/**
 * Streams a list as a CSV file (RFC 4180, UTF-8 with a byte order mark, which Excel needs to read accents). Pages are
 * read by key as the client consumes them: memory stays constant, no connection or transaction is held while the client
 * reads, and reading ends when the client disconnects. The first page is read before this returns, so that a refusal
 * can still be answered with its own status.
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
