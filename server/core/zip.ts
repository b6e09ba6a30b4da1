import { Readable } from "node:stream";
import { ZipFile } from "yazl";

export interface ArchivedFile {
  /** Its path in the archive: see safeName. */
  name: string;
  bytes: Uint8Array | string;
}

/**
 * Writes files as a ZIP archive (Zip64 for a large one) while the client reads. Memory holds one file and a few bytes
 * of each name: the next file is requested once the last one was read. An error of `files` ends the archive without its
 * directory, so that programs recognise it as incomplete.
 *
 * @param comment returns the archive's comment in ASCII; called after the last file
 */
export async function* zipOf(
  files: AsyncIterable<ArchivedFile>,
  modifiedAt: Date,
  comment: () => string,
): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const write = async () => {
    for await (const file of files) await added(zip, file, modifiedAt);
    zip.end({ comment: comment(), forceZip64Format: false });
  };
  write().catch((error: unknown) => output.destroy(error as Error));
  // Ending the loop early destroys the output, so no further files are requested.
  for await (const chunk of output) yield chunk as Uint8Array;
}

/**
 * Adds a file; resolves once its bytes were read. A buffer that is passed to ZipFile as a whole would stay in memory
 * until the end of the archive.
 */
function added(zip: ZipFile, { name, bytes }: ArchivedFile, mtime: Date): Promise<void> {
  let source: Readable | null = Readable.from([Buffer.from(bytes)]);
  return new Promise((resolve, reject) => {
    source!.once("end", resolve).once("error", reject);
    zip.addReadStreamLazy(name, { mtime, mode: 0o100644 }, (take) => {
      take(null, source!);
      source = null;
    });
  });
}

/**
 * Converts any text to a part of a file name that every system accepts: letters and digits of any script, spaces,
 * hyphens and inner dots; no path, no control or direction characters, at most 60 characters.
 */
export function safeName(text: string): string {
  const kept = text
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N} ._-]+/gu, " ")
    .replaceAll(/\s+/g, " ");
  return [...kept]
    .slice(0, 60)
    .join("")
    .replaceAll(/^[ .-]+|[ .-]+$/g, "");
}
