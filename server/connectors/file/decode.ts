import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { CsvSettings } from "../types";
import { FileError } from "./file-error";

/** Bytes of a file once it is unpacked. A zip bomb ends here. */
export const expandedLimit = 2 * 1024 * 1024 * 1024;

const wrongEncoding: Record<string, string> = {
  "utf-8":
    "The file is not UTF-8. Export it as UTF-8, or say in the connector's settings that it is Windows-1252 or UTF-16.",
};

/**
 * The text of a file as UTF-8 without a byte order mark, piece by piece, unpacked where it is gzip.
 * @throws FileError
 */
export async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  encoding: CsvSettings["encoding"],
): AsyncGenerator<Buffer> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let name = "";
  const decode = (chunk?: Uint8Array) => {
    try {
      return Buffer.from(decoder!.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      throw new FileError("wrong_encoding", wrongEncoding[name] ?? `The file is not ${name}.`);
    }
  };
  for await (const chunk of gunzipped(chunks)) {
    if (!decoder) {
      name = encoding === "auto" ? byMark(chunk) : encoding;
      decoder = new TextDecoder(name, { fatal: true });
    }
    const text = decode(chunk);
    if (text.length > 0) yield text;
  }
  if (decoder) {
    const rest = decode();
    if (rest.length > 0) yield rest;
  }
}

const byMark = (head: Uint8Array) =>
  head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : "utf-8";

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
