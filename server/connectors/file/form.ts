import type { Source } from "./read-csv";
import { gunzipped } from "./decode";
import { FileError } from "./file-error";

/** What a file is, once gzip is taken off: text is CSV, and zip an archive, a workbook of Excel among them. */
export type Form = "text" | "zip" | "json";

const beginning = 512;

/**
 * Tells the form of a file by its first bytes. Its name says nothing reliable, and an upload has none.
 * @throws FileError for forms that are not read
 */
export async function formOf(source: Source): Promise<Form> {
  let head = Buffer.alloc(0);
  for await (const chunk of gunzipped(await source())) {
    head = Buffer.concat([head, chunk.subarray(0, beginning)]);
    if (head.length >= beginning) break;
  }
  return formOfBytes(head);
}

/** As formOf, of the first bytes of an unpacked file. */
export function formOfBytes(head: Uint8Array): Form {
  const begins = (...bytes: number[]) => bytes.every((byte, i) => head[i] === byte);
  if (begins(0x50, 0x4b)) return "zip";
  if (begins(0xd0, 0xcf, 0x11, 0xe0))
    throw new FileError(
      "unsupported_file",
      "The file is a workbook of an old Excel (.xls), or one with a password. Save it as .xlsx without a password, or as CSV.",
    );
  if (begins(0x1f, 0x8b)) throw new FileError("unsupported_file", "The file is packed twice. Send it packed once.");
  const text = Buffer.from(head)
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "");
  if (text.startsWith("%PDF") || text.startsWith("\x89PNG") || text.startsWith("\xff\xd8\xff"))
    throw new FileError("unsupported_file", "The file is a document or a picture. Send CSV, XLSX or JSON lines.");
  if (text.startsWith("-----BEGIN PGP MESSAGE"))
    throw new FileError("unsupported_file", "The file is encrypted with PGP. Send it without, over SFTP or https.");
  if (/^\s*\[\s*[{\]]/.test(text))
    throw new FileError(
      "unsupported_file",
      "The file is a JSON array. Send JSON lines: one object on each line, without brackets around them and commas between them.",
    );
  return /^\s*\{\s*["}]/.test(text) ? "json" : "text";
}
