import { crc32 } from "node:zlib";
import { Invalid } from "../failure";
import { bakedOpenBadges2 } from "../verify/other-kinds";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Open Badges 3.0, section 5.3.1. */
const keyword = "openbadgecredential";
const maxChunks = 10_000;
/** The keyword of Open Badges 2.0 and earlier, in a tEXt or an iTXt chunk. */
const oldKeyword = "openbadges";
/** The most bytes that a credential may have, as a JWT. */
const maxCredential = 1_450_000;

/** Whether the bytes begin with the signature of a PNG file. */
export const isPng = (bytes: Uint8Array): boolean => signature.equals(bytes.subarray(0, signature.length));

/**
 * Bakes a credential into a PNG, as an uncompressed iTXt chunk after the header. Replaces a credential that was baked
 * in before. Bake last: a program that encodes the image again drops the chunk.
 *
 * @param credential JSON, or a JWT
 * @throws Invalid for what is not a PNG
 */
export function bakePng(png: Uint8Array, credential: string): Buffer {
  const chunks = chunksOf(png).filter((chunk) => !isBaked(chunk));
  const text = Buffer.concat([Buffer.from(`${keyword}\0\0\0\0\0`, "latin1"), Buffer.from(credential)]);
  return Buffer.concat([
    signature,
    write(chunks[0]!),
    write({ type: "iTXt", data: text }),
    ...chunks.slice(1).map(write),
  ]);
}

/**
 * Reads the credential that is baked into a PNG.
 * @throws Invalid unless there is exactly one
 */
export function readBakedPng(png: Uint8Array): string {
  const chunks = chunksOf(png);
  const found = chunks.filter(isBaked);
  if (found.length === 0 && chunks.some(isBakedBefore)) throw new Invalid(bakedOpenBadges2);
  if (found.length === 0)
    throw new Invalid(
      "The picture holds no credential. Perhaps it was saved anew or sent as a photo, which removes it.",
    );
  if (found.length > 1) throw new Invalid("The picture holds more than one credential.");
  const { data } = found[0]!;
  if (data.length > maxCredential) throw new Invalid("The credential in the picture is too long.");
  const at = keyword.length + 1;
  if (data[at] !== 0)
    throw new Invalid("The credential in the picture is compressed, which Open Badges does not allow.");
  const language = data.indexOf(0, at + 2);
  const translated = language === -1 ? -1 : data.indexOf(0, language + 1);
  if (translated === -1) throw new Invalid("The credential in the picture is cut off.");
  return data
    .subarray(translated + 1)
    .toString("utf8")
    .trim();
}

interface Chunk {
  type: string;
  data: Buffer;
}

const isBaked = ({ type, data }: Chunk) =>
  type === "iTXt" && data.subarray(0, keyword.length + 1).equals(Buffer.from(`${keyword}\0`, "latin1"));

const isBakedBefore = ({ type, data }: Chunk) =>
  (type === "iTXt" || type === "tEXt") &&
  data.subarray(0, oldKeyword.length + 1).equals(Buffer.from(`${oldKeyword}\0`, "latin1"));

function chunksOf(png: Uint8Array): Chunk[] {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const broken = () => new Invalid("The file is not a PNG picture, or it is damaged.");
  if (!isPng(bytes)) throw broken();
  const chunks: Chunk[] = [];
  for (let at = signature.length; at < bytes.length && chunks.at(-1)?.type !== "IEND"; ) {
    if (at + 12 > bytes.length || chunks.length === maxChunks) throw broken();
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) throw broken();
    chunks.push({ type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, end) });
    at = end + 4;
  }
  if (chunks[0]?.type !== "IHDR" || chunks.at(-1)?.type !== "IEND") throw broken();
  return chunks;
}

function write({ type, data }: Chunk): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}
