import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { CsvSettings } from "../types";
import { FileError } from "./file-error";
import { beginsAsRejectedFile } from "./rejected-file";

/** The most bytes of a file after decompression, as a guard against zip bombs. */
export const expandedLimit = 2 * 1024 * 1024 * 1024;

const wrongEncoding: Record<string, string> = {
  "utf-8":
    "The file is not UTF-8. Export it as UTF-8, or set the encoding in the connector's settings to Windows-1252 or UTF-16.",
};

/** How many bytes decide how a file is read: enough for a byte order mark and the first columns of a file of rejected rows. */
const headBytes = 128;

/**
 * Yields the text of a file as UTF-8 without a byte order mark, decompressed if it is gzip. The encoding of a file of
 * rejected rows is taken from its byte order mark, not from the connector's settings.
 * @throws FileError; at the end also if UTF-8 was read as Windows-1252, in which every byte is valid: without this check,
 * letters such as ü would be garbled silently
 */
export async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  encoding: CsvSettings["encoding"],
): AsyncGenerator<Buffer> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let name = "";
  const unicode = new UnicodeTest();
  const decode = (chunk?: Uint8Array) => {
    try {
      return Buffer.from(decoder!.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      throw new FileError("wrong_encoding", wrongEncoding[name] ?? `The file is not ${name}.`);
    }
  };
  for await (const chunk of atLeast(gunzipped(chunks), headBytes)) {
    if (!decoder) {
      name = encodingOf(chunk, encoding);
      decoder = new TextDecoder(name, { fatal: true });
    }
    if (name === "windows-1252") unicode.add(chunk);
    const text = decode(chunk);
    if (text.length > 0) yield text;
  }
  if (decoder) {
    if (unicode.isUnicode()) throw otherEncoding("UTF-8", name);
    const rest = decode();
    if (rest.length > 0) yield rest;
  }
}

/** @throws FileError if the byte order mark contradicts the encoding of the connector's settings */
function encodingOf(head: Uint8Array, encoding: CsvSettings["encoding"]): string {
  const mark = markOf(head);
  if (encoding === "auto") return mark ?? "utf-8";
  if (mark === null || mark === encoding) return encoding;
  if (beginsAsRejectedFile(new TextDecoder(mark).decode(head))) return mark;
  throw otherEncoding(mark.toUpperCase(), encoding);
}

function markOf([first, second, third]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

const otherEncoding = (found: string, said: string) =>
  new FileError(
    "wrong_encoding",
    `The file is ${found}, but the connector reads its files as ${said}, so letters such as ü would be garbled. Change the encoding in the connector's settings to Unicode (auto), then send the file again. Nothing was changed.`,
  );

/** Tests whether bytes are valid UTF-8 and not only ASCII. Text in another encoding is hardly ever valid UTF-8. */
class UnicodeTest {
  #decoder: InstanceType<typeof TextDecoder> | null = new TextDecoder("utf-8", { fatal: true });
  #isMore = false;

  add(chunk: Uint8Array): void {
    this.#isMore ||= chunk.some((byte) => byte > 0x7f);
    this.#decode(chunk);
  }

  isUnicode(): boolean {
    this.#decode();
    return this.#isMore && this.#decoder !== null;
  }

  #decode(chunk?: Uint8Array): void {
    try {
      this.#decoder?.decode(chunk, { stream: chunk !== undefined });
    } catch {
      this.#decoder = null;
    }
  }
}

/**
 * Decompresses bytes if they are gzip, and passes on other bytes unchanged.
 * @throws FileError
 */
export async function* gunzipped(chunks: AsyncIterable<Uint8Array>, limit = expandedLimit): AsyncGenerator<Uint8Array> {
  const whole = atLeast(chunks, 4);
  const first = await whole.next();
  if (first.done) return;
  const all = (async function* () {
    yield first.value;
    yield* whole;
  })();
  const head = first.value;
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* all;
  // Unlike pipe(), pipeline() closes the file when reading stops early, and passes on read errors.
  const unzip = createGunzip();
  pipeline(Readable.from(all), unzip, () => undefined);
  let size = 0;
  try {
    for await (const chunk of unzip as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw new FileError("too_large", `The file has more than ${limit} bytes when it is unpacked.`);
      yield chunk;
    }
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith("Z_")) throw error;
    throw new FileError("broken_archive", "The gzip file is damaged or incomplete. Send it again.");
  }
}

/** Passes chunks on, but joins the first ones until they have at least `n` bytes or the stream ends. */
async function* atLeast(chunks: AsyncIterable<Uint8Array>, n: number): AsyncGenerator<Uint8Array> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!first) yield chunk;
    else if ((first = Buffer.concat([first, chunk])).length >= n) {
      yield first;
      first = undefined;
    }
  }
  if (first && first.length > 0) yield first;
}
