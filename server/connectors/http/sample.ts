import { cellOf } from "../file/cell-text";
import { FileError } from "../file/file-error";
import type { Source } from "../file/read-csv";
import { readSample } from "../file/sample";
import type { CsvSettings } from "../types";
import { askFile, type Asking } from "./ask";
import { pagesOf } from "./pages";
import { isHtml } from "./parse-page";
import { PullError } from "./pull-error";
import { pathsOf, readPath } from "./read-path";

/** The first people of a source. Columns are those of the file, or the paths of the JSON records. */
export interface SourceSample {
  columns: string[];
  rows: string[][];
}

const rowCount = 20;
const columnCount = 200;
/** How many bytes of a CSV file are read; and the most bytes of another format, which must be read as a whole. */
const textBytes = 64 * 1024;
const wholeBytes = 10 * 1024 * 1024;

/** How many bytes of a file to read for a sample, depending on the format that its first bytes show. */
export const sampleBytes = (first: ArrayLike<number>) =>
  first[0] === 0x50 && first[1] === 0x4b ? wholeBytes : textBytes;

export const tooLargeToTest = () =>
  new PullError(
    "too_large",
    `The file is an archive or a workbook of more than ${wholeBytes / 1024 / 1024} MiB, which is too large for a test but not for a run. To choose the columns, put a smaller file there.`,
  );

/** Requests the first people of a source. @throws PullError */
export async function sampleOf(asking: Asking): Promise<SourceSample> {
  const url = new URL(asking.settings.url);
  return asking.settings.format === "json" ? sampleJson(url, asking) : sampleCsv(url, asking);
}

async function sampleJson(url: URL, asking: Asking): Promise<SourceSample> {
  for await (const records of pagesOf(url, asking)) {
    const columns = [...new Set(records.slice(0, 100).flatMap((record) => pathsOf(record)))].slice(0, columnCount);
    const rows = records.slice(0, rowCount).map((record) => columns.map((path) => cellOf(readPath(record, path))));
    return { columns, rows };
  }
  return { columns: [], rows: [] };
}

async function sampleCsv(url: URL, asking: Asking): Promise<SourceSample> {
  const enough = new AbortController();
  const chunks: Uint8Array[] = [];
  let size = 0;
  await askFile(url, { ...asking, signal: AbortSignal.any([asking.signal, enough.signal]) }, async (chunk, headers) => {
    if (chunks.length === 0 && isHtml(headers, Buffer.from(chunk.subarray(0, 200)).toString("latin1")))
      throw new PullError("not_csv", "The server answered with a web page instead of CSV.");
    chunks.push(chunk);
    if ((size += chunk.length) >= sampleBytes(chunks[0]!)) enough.abort();
  }).catch((error: unknown) => {
    if (!enough.signal.aborted) throw error;
  });
  if (size >= wholeBytes) throw tooLargeToTest();
  return sampleOfBytes(chunks, asking.settings);
}

/** Reads the first rows of a complete file, or of the beginning of a CSV file. @throws PullError */
export async function sampleOfBytes(chunks: Uint8Array[], settings: CsvSettings): Promise<SourceSample> {
  const source: Source = async () =>
    (async function* () {
      yield* chunks;
    })();
  try {
    const { columns, rows } = await readSample(source, settings, rowCount);
    return { columns, rows: rows.map(({ cells }) => cells) };
  } catch (error) {
    if (error instanceof FileError) throw new PullError(error.toJSON().code, error.message);
    throw error;
  }
}
