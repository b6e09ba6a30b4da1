import { parse } from "csv-parse/browser/esm/sync";
import { UnfitFile } from "../pack-file";

/** A column of a sample, with its distinct values. */
export interface SampleColumn {
  name: string;
  values: string[];
}

/** A row of a sample, with its line number in the file. */
export interface SampleRow {
  line: number;
  cells: string[];
}

/** The columns and rows at the beginning of a file. */
export interface Sample {
  columns: SampleColumn[];
  headers: string[];
  rows: SampleRow[];
  /** The encoding for the connector's settings; null if the sample does not show it because it is only ASCII. */
  encoding: "auto" | "windows-1252" | null;
}

/** Thrown for a sample that is not Unicode. The administrator must confirm that it is Windows-1252. */
export class UnknownEncoding extends Error {
  /**
   * @param lines two examples, decoded as Windows-1252: the first line that is not UTF-8, and the first line that is UTF-8
   * and not only ASCII
   */
  constructor(readonly lines: { line: number; text: string }[]) {
    super("The encoding of the file is not known.");
  }
}

/** Asks the server for the sample of a file that a browser cannot read. */
export type AskSample = (file: File) => Promise<{ columns: string[]; rows: SampleRow[]; error: string | null }>;

/** The first bytes of pictures and PDF documents, in hexadecimal, to detect them whatever their file name. */
const noTables: readonly [RegExp, string][] = [
  [/^(?:89504e47|ffd8ff|47494638|52494646.{8}57454250|00000...66747970)/, "a picture"],
  [/^25504446/, "a PDF document"],
];

const bytesRead = 256 * 1024;
const separators = [",", ";", "\t"];

/**
 * Reads the columns of a file from its beginning, up to 500 lines, with the values in them. Plain CSV is read here; the
 * server reads a workbook, an archive and JSON lines.
 * @param isWestern whether the administrator confirmed that a file that is not Unicode is Windows-1252
 * @throws UnfitFile; UnknownEncoding if the encoding must be confirmed, because a wrong guess would garble names
 */
export async function readSample(file: File, ask: AskSample, isWestern = false): Promise<Sample> {
  const bytes = new Uint8Array(await file.slice(0, bytesRead).arrayBuffer());
  refuseOtherKinds(bytes);
  if (isOtherForm(bytes)) {
    const { columns, rows, error } = await ask(file);
    if (error !== null) throw new UnfitFile(error);
    return sampleFrom(columns, rows, null);
  }
  const { text, encoding } = textOf(bytes, isWestern);
  // The last line may be cut off.
  const end = file.size > bytesRead ? text.lastIndexOf("\n") : text.length;
  const [head, ...rows] = rowsOf(text.slice(0, end));
  const headers = head?.cells ?? [];
  if (headers.every((name) => name === "")) throw new UnfitFile("The first line must hold the names of the columns.");
  const twice = headers.find((name, i) => name !== "" && headers.indexOf(name) < i);
  if (twice !== undefined) throw new UnfitFile(`Two columns are called “${twice}”. Give each its own name.`);
  return sampleFrom(headers, rows, encoding);
}

export function sampleFrom(headers: string[], rows: SampleRow[], encoding: Sample["encoding"]): Sample {
  const columns = headers.flatMap((name, i) => {
    if (name === "") return [];
    const values = [...new Set(rows.map(({ cells }) => (cells[i] ?? "").trim()).filter((value) => value !== ""))];
    return [{ name, values }];
  });
  return { columns, headers, rows, encoding };
}

/** Detected by the first bytes: zip (which includes workbooks), gzip, old workbooks, JSON. */
function isOtherForm(bytes: Uint8Array): boolean {
  const first = [...bytes.subarray(0, 2)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return ["504b", "1f8b", "d0cf"].includes(first) || /^\s*[{[]/.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}

/** @throws UnfitFile for a file that is not a table, whatever its name */
function refuseOtherKinds(head: Uint8Array): void {
  const first = [...head.subarray(0, 12)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const kind = noTables.find(([begin]) => begin.test(first))?.[1];
  if (kind) throw new UnfitFile(`This is ${kind}, not a table. Choose a CSV file with one line for each person.`);
}

function rowsOf(text: string): SampleRow[] {
  const [first = ""] = text.split(/\r\n|\n|\r/, 1);
  const separator = separators.toSorted((a, b) => first.split(b).length - first.split(a).length)[0]!;
  try {
    const found = parse(text, {
      delimiter: separator,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      to: 500,
      info: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return found.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch {
    throw new UnfitFile("This file can’t be read as CSV. Look for a quote that is opened and never closed.");
  }
}

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark.
 *
 * @throws UnknownEncoding for other text, unless the administrator said that it is Windows-1252
 */
function textOf(bytes: Uint8Array, isWestern: boolean): { text: string; encoding: Sample["encoding"] } {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: "auto" };
  try {
    // The last character may be incomplete.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return { text, encoding: bytes.some((byte) => byte > 0x7f) ? "auto" : null };
  } catch {
    const text = new TextDecoder("windows-1252").decode(bytes);
    if (!isWestern) throw new UnknownEncoding(tellingLines(text));
    return { text, encoding: "windows-1252" };
  }
}

/** Lines by which a person sees whether Windows-1252 is right. It is wrong if one of these lines was UTF-8. */
function tellingLines(text: string): { line: number; text: string }[] {
  const lines = text.split(/\r\n|\n|\r/).map((each, i) => ({ line: i + 1, text: each.slice(0, 200) }));
  const telling = lines.filter((each) => /[^\0-\x7f]/.test(each.text));
  const isUnicode = (each: { text: string }) =>
    /[\u00c2-\u00df][^\0-\x7f]|[\u00e0-\u00ef][^\0-\x7f]{2}/.test(each.text);
  const found = [telling.find((each) => !isUnicode(each)), telling.find(isUnicode)];
  return found.flatMap((each) => each ?? []).sort((a, b) => a.line - b.line);
}
