import { pipeline, Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { CsvError, parse, type Options } from "csv-parse";
import { withoutGuard } from "@/server/core/formula-guard";
import type { CsvSettings } from "../types";
import { decoded } from "./decode";
import { FileError } from "./file-error";
import { asSent, beginsAsRejectedFile, isRejectedFile } from "./rejected-file";

/** Bytes of a line, or of a record whose quoted cells hold line breaks. */
const recordLimit = 1024 * 1024;
const columnLimit = 1000;
/** Lines of a file, empty ones included. */
const lineLimit = 10_000_000;
/** Bytes that are parsed in one turn of the event loop. 16 KiB of line ends are 16,384 records. */
const sliceBytes = 16 * 1024;

/** What is known of a file once its first line was read, and how far it was read. Stored with the run. */
export interface Position {
  headers: string[];
  delimiter: string;
  lineEnd: string;
  /** Bytes of decoded text that were read whole, and lines. */
  bytes: number;
  lines: number;
  /** The first column says where each row stands in the file that was sent (table.ts); it is no header. */
  isNumbered?: true;
}

export interface CsvRecord {
  line: number;
  cells: string[];
  /** No cell holds anything. */
  isBlank: boolean;
  /** Where the record ends. */
  end: Pick<Position, "bytes" | "lines">;
}

/** Opens a file anew from its beginning. */
export type Source = () => Promise<AsyncIterable<Uint8Array>>;

/**
 * Reads the first line of a file.
 * @param isNumbered whether the file was made by numberedCsv
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
    throw new FileError("no_header", "The first line must name the columns, and it is empty.", 1);
  if (headers.length > columnLimit)
    throw new FileError(
      "too_many_columns",
      `The file has ${headers.length} columns; at most ${columnLimit} are read.`,
      1,
    );
  const twice = headers.findIndex((header, i) => header !== "" && headers.indexOf(header) < i);
  // The name is not repeated: in a file without a header, it is somebody's.
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
 * The records from a position on, in bounded memory. Empty lines are no records; lines of delimiters and spaces alone
 * are, so that the caller can stop among millions of them.
 * @returns whether the file ends with a line end, as the generator's last value.
 * @throws FileError where the file cannot be read on: nothing behind it can be trusted.
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
    const end = { bytes: from.bytes + record.end.bytes, lines: record.end.lines };
    const place = from.isNumbered ? { line: Number(record.cells[0]), cells: record.cells.slice(1) } : {};
    const read = { ...record, ...place, end };
    yield isRejected ? { ...read, ...asSent(from.headers, read.cells) } : read;
  }
  return { endsWithLineEnd: watched.last === 0 || watched.last === 0x0a || watched.last === 0x0d };
}

async function* parsed(
  text: AsyncIterable<Buffer>,
  { delimiter, lineEnd, lines: before }: Pick<Position, "delimiter" | "lineEnd" | "lines">,
): AsyncGenerator<CsvRecord> {
  // Lines are counted here, when a record is parsed: the parser counts a CRLF within quotes twice, and records that wait
  // to be read are lost where it fails.
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
        `A quote opens after line ${last} and is never closed, so the rest of the file reads as one cell.`,
        last + 1,
      );
    case "CSV_MAX_RECORD_SIZE":
      return new FileError("line_too_long", `A line has more than ${recordLimit} characters.`, last + 1);
    default:
      return new FileError(
        "invalid_quote",
        `A quote stands in the wrong place after line ${last}. Cells with quotes are to be quoted, and the quotes in them doubled.`,
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
 * Passes text on in slices, each in a turn of the event loop of its own: a file of line ends would otherwise occupy the
 * process for seconds. Refuses more lines than are read, and a line end of another kind than the first: with two kinds, a
 * parser takes one of them for part of a cell, or two lines for one.
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
      throw new FileError("mixed_line_ends", `Line ${line} ends otherwise than the first line does.`, line);
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

/** The first line of a text, without its end, and how it ends. */
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
  // The last byte is left for the next look: a line feed may follow a carriage return.
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

/** What stands most often outside quotes; a comma where none does. */
function delimiterOf(line: string): string {
  const outside = line.replace(/"[^"]*"/g, "");
  const counted = [",", ";", "\t"].map((each) => ({ each, n: outside.split(each).length }));
  return counted.reduce((best, next) => (next.n > best.n ? next : best)).each;
}

const newlinesIn = (cell: string) =>
  cell.includes("\n") || cell.includes("\r") ? cell.split(/\r\n|\n|\r/).length - 1 : 0;
