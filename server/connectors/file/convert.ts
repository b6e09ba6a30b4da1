import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { receiveUpload, type Upload } from "@/server/core/blobs/upload";
import type { PrivateKey } from "openpgp";
import { DomainError } from "@/server/core/errors";
import { fileLimit } from "../file-limit";
import { FirstError } from "../http/first-error";
import { decrypted } from "../pgp/decrypt";
import type { CsvSettings } from "../types";
import { gunzipped } from "./decode";
import { FileError } from "./file-error";
import { formOf, formOfBytes } from "./form";
import { readJsonLines, type JsonLinesOptions } from "./json-lines";
import { rosterFolder } from "./one-roster/manifest";
import { readRosterUsers } from "./one-roster/read-users";
import type { Source } from "./read-csv";
import { numberedCsv } from "./table";
import { isWorkbook } from "./xlsx/open-workbook";
import { readWorkbook } from "./xlsx/read-sheet";
import { Archive } from "./zip";

/** The largest workbook, in bytes of the .xlsx file (contract section 11). */
const workbookLimit = 50 * 1024 * 1024;

export interface ConvertOptions extends JsonLinesOptions {
  /** The most bytes of the unpacked file, and of the CSV text that it is converted to. */
  limit: number;
  signal?: AbortSignal;
  /** The key to decrypt the file with; none unless given. */
  pgpKey?: PrivateKey | null;
  /** How many rows to read, the header included; all unless given. */
  take?: number;
}

/** A file that was converted to CSV, compressed with gzip. */
export interface Converted {
  file: Upload;
  /** Whether numberedCsv wrote it; otherwise it is a CSV file from an archive, unchanged. */
  isNumbered: boolean;
}

/** The settings to read a converted file with: the connector's settings do not apply to CSV that numberedCsv wrote. */
export const settingsFor = (settings: CsvSettings, isNumbered: boolean): CsvSettings =>
  isNumbered ? { ...settings, encoding: "utf-8", delimiter: "," } : settings;

/**
 * Converts a workbook, JSON lines, an archive or an encrypted file to CSV, so that staging has to read only one format and can resume at any
 * position.
 * @returns null if the file is CSV already, plain or gzip
 * @throws FileError
 */
export async function convert(source: Source, options: ConvertOptions): Promise<Converted | null> {
  const form = await formOf(source);
  if (form === "text") return null;
  if (form === "pgp") return convertEncrypted(source, options);
  if (form === "json") return numbered(readJsonLines(gunzipped(await source(), options.limit), options), options);
  const archive = await spool(gunzipped(await source()));
  try {
    return await convertArchive(archive, options);
  } finally {
    await archive.discard();
  }
}

/**
 * Decrypts a file to a local file, which is complete and checked before anything is read from it, and converts that.
 */
async function convertEncrypted(source: Source, options: ConvertOptions): Promise<Converted> {
  const limit = Math.min(options.limit, fileLimit);
  const file = await received(
    counted(decrypted(source, options.pgpKey ?? null), { ...options, limit }),
    "The decrypted file is too large.",
  );
  let isUsed = false;
  try {
    if ((await formOf(sourceOf(file))) === "pgp")
      throw new FileError("unsupported_file", "The file is encrypted twice. Encrypt it once.");
    const converted = await convert(sourceOf(file), options);
    isUsed = converted === null;
    return converted ?? { file, isNumbered: false };
  } finally {
    if (!isUsed) await file.discard();
  }
}

/** Writes an archive to a local file, because the directory of a zip archive is at its end. */
async function spool(bytes: AsyncIterable<Uint8Array>): Promise<Upload> {
  return received(bytes, `The archive has more than ${fileLimit / 1024 / 1024} MiB.`);
}

async function received(bytes: AsyncIterable<Uint8Array>, tooLarge: string): Promise<Upload> {
  const failure = new FirstError();
  return receiveUpload(failure.of(bytes), fileLimit).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === "payload_too_large") throw new FileError("too_large", tooLarge);
    throw failure.reason ?? error;
  });
}

async function convertArchive(file: Upload, options: ConvertOptions, isInner = false): Promise<Converted> {
  const archive = await Archive.open(file.path);
  try {
    if (isWorkbook(archive)) {
      if (file.size > workbookLimit)
        throw new FileError(
          "too_large",
          `The workbook has more than ${workbookLimit / 1024 / 1024} MiB. Save it as CSV, which may have ${fileLimit / 1024 / 1024}.`,
        );
      return await numbered(readWorkbook(archive, options.limit), options);
    }
    requireReadable(archive, isInner);
    const folder = rosterFolder(archive);
    if (folder !== null) return await numbered(readRosterUsers(archive, folder, options), options);
    return await convertOnly(archive, options);
  } finally {
    archive.close();
  }
}

function requireReadable(archive: Archive, isInner: boolean): void {
  if (archive.has("xl/workbook.bin"))
    throw new FileError("unsupported_file", "The file is a binary workbook (.xlsb). Save it as .xlsx or as CSV.");
  if (archive.has("mimetype") && archive.has("content.xml"))
    throw new FileError(
      "unsupported_file",
      "The file is a workbook of OpenDocument (.ods). Save it as .xlsx or as CSV.",
    );
  if (isInner)
    throw new FileError("unsupported_file", "The archive holds another archive. Put the list itself into it.");
}

/** Converts the only file in an archive. Ignores the files that macOS and Windows add to archives. */
async function convertOnly(archive: Archive, options: ConvertOptions): Promise<Converted> {
  const names = [...archive.entries.keys()].filter(
    (name) => !name.startsWith("__MACOSX/") && !/(^|\/)(\.[^/]*|thumbs\.db|desktop\.ini)$/i.test(name),
  );
  if (names.length !== 1)
    throw new FileError(
      "unsupported_file",
      names.length === 0
        ? "The archive is empty."
        : `The archive holds ${names.length} files, and it is unclear which one lists the people. Put only that file into it.`,
    );
  const name = names[0]!;
  const source: Source = async () => archive.read(name, options.limit);
  switch (formOfBytes(await headOf(source))) {
    case "pgp":
      throw new FileError("unsupported_file", "The archive holds an encrypted file. Encrypt the archive instead.");
    case "text":
      return { file: await packed(await source(), options), isNumbered: false };
    case "json":
      return numbered(readJsonLines(await source(), options), options);
    case "zip": {
      const inner = await received(archive.read(name, workbookLimit), "The archive holds another large archive.");
      try {
        return await convertArchive(inner, options, true);
      } finally {
        await inner.discard();
      }
    }
  }
}

async function headOf(source: Source): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for await (const chunk of await source()) {
    head = Buffer.concat([head, chunk.subarray(0, 512)]);
    if (head.length >= 512) break;
  }
  return head;
}

const numbered = async (rows: Parameters<typeof numberedCsv>[0], options: ConvertOptions): Promise<Converted> => ({
  file: await packed(numberedCsv(rows, options.take), options),
  isNumbered: true,
});

async function packed(text: AsyncIterable<Uint8Array>, options: ConvertOptions): Promise<Upload> {
  // pipeline() does not pass errors of the text to the reader of the compressed bytes, so keep them here.
  const failure = new FirstError();
  const gzip = createGzip({ level: 1 });
  pipeline(Readable.from(failure.of(counted(text, options))), gzip, () => undefined);
  return received(gzip, `The list has more than ${fileLimit / 1024 / 1024} MiB after compression.`).catch(
    (error: unknown) => {
      throw failure.reason ?? error;
    },
  );
}

async function* counted(
  text: AsyncIterable<Uint8Array>,
  { limit, signal }: ConvertOptions,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of text) {
    signal?.throwIfAborted();
    size += chunk.length;
    if (size > limit)
      throw new FileError("too_large", `The list has more than ${Math.floor(limit / 1024 / 1024)} MiB of text.`);
    yield chunk;
  }
}

/** Opens an upload from its beginning. */
export const sourceOf =
  (file: Upload): Source =>
  async () =>
    createReadStream(file.path);
