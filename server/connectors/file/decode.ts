import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { CsvSettings } from "../types";
import { FileError } from "./file-error";
import { beginsAsRejectedFile } from "./rejected-file";

/** Bytes of a file once it is unpacked. A zip bomb ends here. */
export const expandedLimit = 2 * 1024 * 1024 * 1024;

const wrongEncoding: Record<string, string> = {
  "utf-8":
    "The file is not UTF-8. Export it as UTF-8, or say in the connector's settings that it is Windows-1252 or UTF-16.",
};

/** Bytes by which it is told how a file is read: its mark, and the first columns of a file of rejected rows. */
const headBytes = 128;

/**
 * The text of a file as UTF-8 without a byte order mark, piece by piece, unpacked where it is gzip. A file of rejected
 * rows is read by its mark, whatever the connector says of its files.
 * @throws FileError, at the end also for UTF-8 that is read as Windows-1252: every byte is a letter of that, so nothing
 * else fails, and names would be spoiled
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

/** @throws FileError where the file says of itself that it is something else than its connector says */
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
    `The file is ${found}, and the connector reads its files as ${said}, so letters such as ü would be spoiled. Change the encoding in the connector's settings to Unicode (auto), then send the file again. Nothing was changed.`,
  );

/** Whether bytes with more than ASCII in them are UTF-8: text in another encoding hardly ever is. */
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
 * The same bytes, unpacked where they are gzip.
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
  // Unlike pipe(), this closes the file where reading stops early, and passes on what fails when it is read.
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
    throw new FileError("broken_archive", "The gzip file is broken or ends before its end. Send it again.");
  }
}

/** The same pieces, the first of which has at least `n` bytes where there are so many. */
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
