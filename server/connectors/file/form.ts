import type { Source } from "./read-csv";
import { gunzipped } from "./decode";
import { beginsEncrypted } from "../pgp/begins-encrypted";
import { FileError } from "./file-error";

/** The format of a file after gzip decompression. `text` is CSV; `zip` is an archive or an Excel workbook; `pgp` is encrypted. */
export type Form = "text" | "zip" | "json" | "pgp";

const beginning = 512;

/**
 * Detects the format of a file from its first bytes. File names are unreliable, and uploads have none.
 * @throws FileError for unsupported formats
 */
export async function formOf(source: Source): Promise<Form> {
  let head = Buffer.alloc(0);
  for await (const chunk of gunzipped(await source())) {
    head = Buffer.concat([head, chunk.subarray(0, beginning)]);
    if (head.length >= beginning) break;
  }
  return formOfBytes(head);
}

/** Does the same as formOf for the first bytes of a decompressed file. */
export function formOfBytes(head: Uint8Array): Form {
  const begins = (...bytes: number[]) => bytes.every((byte, i) => head[i] === byte);
  if (begins(0x50, 0x4b)) return "zip";
  if (beginsEncrypted(head)) return "pgp";
  if (begins(0xd0, 0xcf, 0x11, 0xe0))
    throw new FileError(
      "unsupported_file",
      "The file is a workbook in the old Excel format (.xls), or has a password. Save it as .xlsx without a password, or as CSV.",
    );
  if (begins(0x1f, 0x8b))
    throw new FileError("unsupported_file", "The file is compressed twice. Send it compressed once.");
  const text = Buffer.from(head)
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "");
  if (text.startsWith("%PDF") || text.startsWith("\x89PNG") || text.startsWith("\xff\xd8\xff"))
    throw new FileError("unsupported_file", "The file is a document or a picture. Send CSV, XLSX or JSON lines.");
  if (/^\s*\[\s*[{\]]/.test(text))
    throw new FileError(
      "unsupported_file",
      "The file is a JSON array. Send JSON lines: one object per line, without brackets around them or commas between them.",
    );
  return /^\s*\{\s*["}]/.test(text) ? "json" : "text";
}
