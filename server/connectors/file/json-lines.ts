import { parseExactly } from "../http/parse-page";
import { pathsOf, readPath } from "../http/read-path";
import { cellOf } from "./cell-text";
import { FileError } from "./file-error";
import type { TableRow } from "./table";

const lineLimit = 1024 * 1024;
/** How many objects are searched for columns if no columns are given. */
const lookedAt = 100;
const columnLimit = 200;

export interface JsonLinesOptions {
  /** The paths to read; null to use the paths of the first objects. */
  columns: string[] | null;
  /** In a full list, at least one person must have a value under each path; a path without values is an error. */
  mode: "full" | "delta";
}

/**
 * Converts JSON lines to a table: a header row with the paths, then a row for each object.
 * @throws FileError
 */
export async function* readJsonLines(
  chunks: AsyncIterable<Uint8Array>,
  { columns: read, mode }: JsonLinesOptions,
): AsyncGenerator<TableRow> {
  const first: { line: number; value: Record<string, unknown> }[] = [];
  let columns = read;
  const unseen = new Set(read);
  const rowOf = ({ line, value }: (typeof first)[number]): TableRow => ({
    line,
    cells: columns!.map((path) => {
      const found = readPath(value, path);
      if (found !== undefined) unseen.delete(path);
      return cellOf(found);
    }),
  });
  if (columns) yield { line: 0, cells: columns };
  let any = false;
  for await (const object of objectsOf(chunks)) {
    any = true;
    if (columns) {
      yield rowOf(object);
      continue;
    }
    if (first.push(object) < lookedAt) continue;
    columns = pathsOfAll(first);
    yield { line: 0, cells: columns };
    for (const each of first) yield rowOf(each);
  }
  if (!columns) {
    columns = pathsOfAll(first);
    yield { line: 0, cells: columns };
    for (const each of first) yield rowOf(each);
  }
  if (any && unseen.size > 0 && mode === "full")
    throw new FileError(
      "missing_column",
      `Nobody in the file has a value for ${[...unseen].map((path) => JSON.stringify(path)).join(", ")}, which the mapping reads. Nobody was changed.`,
    );
}

const pathsOfAll = (objects: { value: Record<string, unknown> }[]) =>
  [...new Set(objects.flatMap(({ value }) => pathsOf(value)))].slice(0, columnLimit);

async function* objectsOf(chunks: AsyncIterable<Uint8Array>) {
  for await (const { line, bytes } of linesOf(chunks)) {
    const text = textOf(bytes, line).trim();
    if (text === "") continue;
    yield { line, value: objectOf(text, line) };
  }
}

function textOf(bytes: Uint8Array, line: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FileError("wrong_encoding", `Line ${line} is not UTF-8, as JSON must be.`, line);
  }
}

function objectOf(text: string, line: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    throw new FileError("invalid_json", `Line ${line} is not valid JSON, or is incomplete.`, line);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new FileError("invalid_json", `Line ${line} is not a JSON object.`, line);
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ line: number; bytes: Uint8Array }> {
  let line = 1;
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let at = 0;
    for (let end = chunk.indexOf(0x0a); ; end = chunk.indexOf(0x0a, at)) {
      const piece = chunk.subarray(at, end < 0 ? undefined : end);
      size += piece.length;
      if (size > lineLimit)
        throw new FileError("line_too_long", `Line ${line} has more than ${lineLimit} characters.`, line);
      // Copied, because the stream may reuse the chunk's memory.
      if (piece.length > 0) pieces.push(Buffer.from(piece));
      if (end < 0) break;
      yield { line, bytes: Buffer.concat(pieces) };
      pieces = [];
      size = 0;
      line++;
      at = end + 1;
    }
  }
  if (size > 0) yield { line, bytes: Buffer.concat(pieces) };
}
