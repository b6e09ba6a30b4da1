import { pipeline, Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { CsvError, parse, type Options } from "csv-parse";
import { withoutGuard } from "@/server/core/formula-guard";
import type { CsvSettings } from "../types";
import { decoded } from "./decode";
import { FileError } from "./file-error";
import { asSent, beginsAsRejectedFile, isRejectedFile } from "./rejected-file";

/** The most bytes of a record, which can span several lines if quoted cells contain line breaks. */
const recordLimit = 1024 * 1024;
const columnLimit = 1000;
/** The most lines of a file, empty lines included. */
const lineLimit = 10_000_000;
/** How many bytes are parsed per turn of the event loop. In the worst case, 16 KiB are 16,384 empty lines. */
const sliceBytes = 16 * 1024;

/** The header of a file and the position up to which it was read. Stored with the run. */
export interface Position {
  headers: string[];
  delimiter: string;
  lineEnd: string;
  /** Bytes and lines of decoded text up to the end of the last complete record. */
  bytes: number;
  lines: number;
  /** The first column holds the row's line number in the original file (table.ts) and is not a column of the file. */
  isNumbered?: true;
}

export interface CsvRecord {
  line: number;
  cells: string[];
  /** Whether all cells are empty. */
  isBlank: boolean;
  /** Where the record ends. */
  end: Pick<Position, "bytes" | "lines">;
}

/** Opens a file from its beginning. */
export type Source = () => Promise<AsyncIterable<Uint8Array>>;

/**
 * Reads the first line of a file.
 * @param isNumbered whether numberedCsv wrote the file
 * @throws FileError
 */
export async function readHead(source: Source, settings: CsvSettings, isNumbered = false): Promise<Position> {
  const head = await firstLine(decoded(await source(), settings.encoding));
  const isFree = settings.delimiter === "auto" || beginsAsRejectedFile(head.line);
  const delimiter = isFree ? delimiterOf(head.line) : settings.delimiter;
  let headers: string[] = [];
  for await (const { cells } of parsed(one(Buffer.from(head.line)), { delimiter, lineEnd: head.lineEnd, lines: 0 }))
    headers = cells.slice(isNumbered ? 1 : 0).map((header) => header.trim());
  if (isRejectedFile(headers)) headers = headers.map(withoutGuard);
  if (headers.every((header) => header === ""))
    throw new FileError("no_header", "The first line must name the columns, but it is empty.", 1);
  if (headers.length > columnLimit)
    throw new FileError(
      "too_many_columns",
      `The file has ${headers.length} columns; at most ${columnLimit} are allowed.`,
      1,
    );
  const twice = headers.findIndex((header, i) => header !== "" && headers.indexOf(header) < i);
  // The message does not repeat the name: in a file without a header, it would be a person's data.
  if (twice >= 0)
    throw new FileError(
      "duplicate_header",
      `The columns ${headers.indexOf(headers[twice]!) + 1} and ${twice + 1} of the first line have the same name.`,
      1,
    );
  return {
    headers,
    delimiter,
    lineEnd: head.lineEnd,
    bytes: Buffer.byteLength(head.line) + head.lineEnd.length,
    lines: 1 + newlinesIn(head.line),
    ...(isNumbered && { isNumbered }),
  };
}

/**
 * Reads the records after a position, in bounded memory. Skips empty lines, but yields lines that hold only delimiters and
 * spaces (isBlank), so that the caller can stop at any of them.
 * @returns whether the file ends with a line end, as the generator's return value
 * @throws FileError if the file cannot be parsed any further
 */
export async function* readRecords(
  source: Source,
  settings: CsvSettings,
  from: Position,
): AsyncGenerator<CsvRecord, { endsWithLineEnd: boolean }> {
  const watched = { last: 0 };
  const text = checked(skipped(decoded(await source(), settings.encoding), from.bytes), from, watched);
  const isRejected = isRejectedFile(from.headers);
  for await (const record of parsed(text, from)) {
    record.end.bytes += from.bytes;
    if (from.isNumbered) record.line = Number(record.cells.shift());
    yield isRejected ? { ...record, ...asSent(from.headers, record.cells) } : record;
  }
  return { endsWithLineEnd: watched.last === 0 || watched.last === 0x0a || watched.last === 0x0d };
}

async function* parsed(
  text: AsyncIterable<Buffer>,
  { delimiter, lineEnd, lines: before }: Pick<Position, "delimiter" | "lineEnd" | "lines">,
): AsyncGenerator<CsvRecord> {
  // Count lines here, per parsed record: the parser counts a CRLF within quotes twice, and when it fails, it drops the
  // records that were not read yet.
  let last = before;
  let empty = 0;
  const options: Options<CsvRecord, string[]> = {
    delimiter,
    record_delimiter: lineEnd,
    max_record_size: recordLimit,
    relax_column_count: true,
    skip_empty_lines: true,
    on_record(cells, { bytes, empty_lines }) {
      last += empty_lines - empty;
      empty = empty_lines;
      const line = last + 1;
      last += 1 + cells.reduce((n, cell) => n + newlinesIn(cell), 0);
      return { line, cells, isBlank: cells.every((cell) => cell.trim() === ""), end: { bytes, lines: last } };
    },
  };
  const parser = parse(options as unknown as Options);
  pipeline(Readable.from(text), parser, () => undefined);
  try {
    yield* parser as AsyncIterable<CsvRecord>;
  } catch (error) {
    throw error instanceof CsvError ? asFileError(error, last) : error;
  } finally {
    parser.destroy();
  }
}

function asFileError({ code }: CsvError, last: number): FileError {
  switch (code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return new FileError(
        "unclosed_quote",
        `A quote that opens after line ${last} is never closed, so the rest of the file would be one cell.`,
        last + 1,
      );
    case "CSV_MAX_RECORD_SIZE":
      return new FileError("line_too_long", `A line has more than ${recordLimit} characters.`, last + 1);
    default:
      return new FileError(
        "invalid_quote",
        `There is a quote in the wrong place after line ${last}. Put cells that contain quotes into quotes, and double the quotes inside.`,
        last + 1,
      );
  }
}

async function* one(text: Buffer): AsyncGenerator<Buffer> {
  yield text;
}

async function* skipped(text: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of text) {
    if (chunk.length > left) yield left === 0 ? chunk : chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

const quote = 0x22;
const lf = 0x0a;
const cr = 0x0d;

/**
 * Passes text on in slices, one per turn of the event loop: a file of empty lines would otherwise block the process for
 * seconds. Refuses too many lines, and mixed line ends, because a parser reads one of the two kinds as part of a cell.
 */
async function* checked(
  text: AsyncIterable<Buffer>,
  { lineEnd, lines }: Position,
  watched: { last: number },
): AsyncGenerator<Buffer> {
  let quoted = false;
  let previous = 0;
  let line = lines;
  const meet = (kind: string) => {
    line++;
    if (kind !== lineEnd)
      throw new FileError("mixed_line_ends", `Line ${line} has another kind of line end than the first line.`, line);
  };
  for await (const chunk of sliced(text)) {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (previous === cr && byte !== lf && !quoted) meet("\r");
      if (byte === quote) quoted = !quoted;
      else if (byte === lf && !quoted) meet(previous === cr ? "\r\n" : "\n");
      else if (byte === lf) line++;
      previous = byte;
    }
    if (line > lineLimit)
      throw new FileError("too_many_rows", `The file has more than ${lineLimit} lines, empty ones included. Split it.`);
    watched.last = previous;
    yield chunk;
  }
}

async function* sliced(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of text)
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      yield chunk.subarray(at, at + sliceBytes);
      await turn();
    }
}

/** Returns the first line of a text without its line end, and the line end. */
async function firstLine(text: AsyncIterable<Buffer>): Promise<{ line: string; lineEnd: string }> {
  let head = Buffer.alloc(0);
  for await (const chunk of text) {
    head = Buffer.concat([head, chunk]);
    const found = endOfLine(head);
    if (found) return found;
    if (head.length > recordLimit)
      throw new FileError("line_too_long", `The first line has more than ${recordLimit} characters.`, 1);
  }
  if (head.length === 0) throw new FileError("empty_file", "The file is empty.");
  return { line: head.toString(), lineEnd: "\n" };
}

function endOfLine(head: Buffer): { line: string; lineEnd: string } | undefined {
  let quoted = false;
  // The last byte is checked with the next chunk: a line feed may follow a carriage return.
  for (let i = 0; i < head.length - 1; i++) {
    if (head[i] === quote) quoted = !quoted;
    else if (!quoted && (head[i] === lf || head[i] === cr))
      return {
        line: head.subarray(0, i).toString(),
        lineEnd: head[i] === lf ? "\n" : head[i + 1] === lf ? "\r\n" : "\r",
      };
  }
  return undefined;
}

/** Guesses the delimiter: the one that occurs most often outside quotes; a comma if none occurs. */
function delimiterOf(line: string): string {
  const outside = line.replace(/"[^"]*"/g, "");
  const counted = [",", ";", "\t"].map((each) => ({ each, n: outside.split(each).length }));
  return counted.reduce((best, next) => (next.n > best.n ? next : best)).each;
}

const newlinesIn = (cell: string) =>
  cell.includes("\n") || cell.includes("\r") ? cell.split(/\r\n|\n|\r/).length - 1 : 0;
