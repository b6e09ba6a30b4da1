import { FileError } from "../file/file-error";
import { readHead, readRecords, type Source } from "../file/read-csv";
import type { CsvSettings } from "../types";
import { askFile, type Asking } from "./ask";
import { pagesOf } from "./pages";
import { isHtml } from "./parse-page";
import { PullError } from "./pull-error";
import { cellOf } from "./pull";
import { pathsOf, readPath } from "./read-path";

/** The first people of a source: its columns, or the paths of its records, and their cells. */
export interface SourceSample {
  columns: string[];
  rows: string[][];
}

const rowCount = 20;
const columnCount = 200;
/** Of a CSV file. */
export const csvBytes = 64 * 1024;

/** Asks a source for its first people. @throws PullError */
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
    if ((size += chunk.length) >= csvBytes) enough.abort();
  }).catch((error: unknown) => {
    if (!enough.signal.aborted) throw error;
  });
  return sampleOfText(chunks, asking.settings);
}

/** The first rows of the beginning of a CSV file. @throws PullError */
export async function sampleOfText(chunks: Uint8Array[], settings: CsvSettings): Promise<SourceSample> {
  const source: Source = async () =>
    (async function* () {
      yield* chunks;
    })();
  try {
    return await readBeginning(source, settings);
  } catch (error) {
    if (error instanceof FileError) throw new PullError(error.toJSON().code, error.message);
    throw error;
  }
}

async function readBeginning(source: Source, settings: CsvSettings): Promise<SourceSample> {
  const position = await readHead(source, settings);
  const rows: string[][] = [];
  try {
    for await (const { cells, isBlank } of readRecords(source, settings, position)) {
      if (!isBlank) rows.push(cells);
      if (rows.length >= rowCount) break;
    }
  } catch (error) {
    // The text ends where enough of it was read, perhaps within quotes.
    if (!(error instanceof FileError) || rows.length === 0) throw error;
  }
  return { columns: position.headers, rows };
}
