import type { CsvSettings } from "../types";
import { convert, settingsFor, sourceOf } from "./convert";
import { FileError } from "./file-error";
import { readHead, readRecords, type Source } from "./read-csv";
import type { TableRow } from "./table";

export interface FileSample {
  columns: string[];
  rows: TableRow[];
}

/** The most bytes of a file in another format than CSV after decompression. */
const unpackedLimit = 512 * 1024 * 1024;

/**
 * Reads the first rows of a file in any format. The columns of JSON lines are the paths of the first objects.
 * @throws FileError
 */
export async function readSample(source: Source, settings: CsvSettings, take: number): Promise<FileSample> {
  const converted = await convert(source, { columns: null, mode: "delta", limit: unpackedLimit, take: take + 1 });
  if (!converted) return readBeginning(source, settings, { take, isNumbered: false });
  const { file, isNumbered } = converted;
  try {
    return await readBeginning(sourceOf(file), settingsFor(settings, isNumbered), { take, isNumbered });
  } finally {
    await file.discard();
  }
}

async function readBeginning(
  source: Source,
  settings: CsvSettings,
  { take, isNumbered }: { take: number; isNumbered: boolean },
): Promise<FileSample> {
  const position = await readHead(source, settings, isNumbered);
  const rows: TableRow[] = [];
  try {
    for await (const { line, cells, isBlank } of readRecords(source, settings, position)) {
      if (!isBlank) rows.push({ line, cells });
      if (rows.length >= take) break;
    }
  } catch (error) {
    // The sample may end within quotes, which is not an error of the file.
    if (!(error instanceof FileError) || rows.length === 0) throw error;
  }
  return { columns: position.headers, rows };
}
