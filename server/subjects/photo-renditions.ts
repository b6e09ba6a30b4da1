import { readFile } from "node:fs/promises";
import sharp, { type Metadata, type Sharp } from "sharp";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { processState } from "@/server/core/process-state";
import { Turns } from "@/server/core/turns";
import { densities, maxPixels, unfitSize, type Density } from "./photo-limits";

export const photoTypes = { webp: "image/webp", jpeg: "image/jpeg" } as const;
export type PhotoFormat = keyof typeof photoTypes;

export type Rendition = `${Density}.${PhotoFormat}`;

/**
 * The maximum of bytes that the decoder may hold of a picture that it cannot shrink while reading. 150 MB are 50
 * million pixels in 8-bit RGB.
 */
const maxHeldBytes = 150_000_000;

/**
 * The maximum number of scans of a JPEG. A progressive JPEG of a camera or an editor has about 10. Each scan costs the
 * time of decoding the whole picture, however little data it holds.
 */
const maxScans = 100;

/** The time limit for one picture. A camera's picture of 50 million pixels takes a second or two. */
const maxSeconds = 10;

// Each thread renders one picture at a time and caches nothing. With the limits above, that takes at most about 400 MB
// for requests, and as much while an archive of photos is imported.
sharp.cache(false);
const { turns } = processState("photo turns", () => ({
  turns: new Turns({ doing: "photos are being read", atOnce: 1, each: 4, all: 32, waitMs: 20_000 }),
}));

/**
 * Re-encodes a portrait at every density and in every format: rotated as its EXIF orientation says, cropped to 3:4
 * around the area that draws attention, and without metadata (a phone stores the location in it).
 * @throws DomainError unsupported_media_type if the file is not a readable image; invalid_request if the image is too
 *   large or too small; rate_limited and unavailable if too many are waiting.
 */
export function renderPhoto(orgId: Id<"org">, path: string): Promise<Map<Rendition, Buffer>> {
  return turns.take(orgId, async () => render(await readFile(path)));
}

async function render(bytes: Buffer): Promise<Map<Rendition, Buffer>> {
  // Checked before libvips reads the file, because libvips would try decoders for many more formats.
  if (!isPicture(bytes)) throw unreadable(null);
  const open = () =>
    sharp(bytes, { limitInputPixels: maxPixels, failOn: "error", pages: 1 }).timeout({ seconds: maxSeconds });
  const metadata = await open()
    .metadata()
    .catch((error: unknown) => {
      throw unreadable(error);
    });
  const { width = 0, height = 0 } = metadata;
  if (width * height > maxPixels)
    throw unfit(`is too large: ${width} × ${height} pixels, more than ${maxPixels / 1_000_000} million`);
  const wrongSize = unfitSize(width, height);
  if (wrongSize) throw unfit(wrongSize);
  if (heldBytes(metadata) > maxHeldBytes)
    throw unfit(
      `has ${width} × ${height} pixels of a kind that needs too much memory; send a baseline JPEG, or fewer pixels`,
    );
  if (metadata.format === "jpeg" && scansOf(bytes) > maxScans)
    throw unfit(`has more than ${maxScans} scans; save it as a baseline JPEG`);
  const [largestWidth, largestHeight] = densities["3x"];
  try {
    // Lossless in between, so that only the last step reduces quality.
    const portrait = await open()
      .rotate()
      .resize(largestWidth, largestHeight, { fit: "cover", position: sharp.strategy.attention })
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .png()
      .toBuffer();
    const rendered = new Map<Rendition, Buffer>();
    for (const [density, [w, h]] of Object.entries(densities)) {
      const sized = sharp(portrait).resize(w, h);
      for (const format of Object.keys(photoTypes) as PhotoFormat[])
        rendered.set(`${density as Density}.${format}`, await encode(sized.clone(), format));
    }
    return rendered;
  } catch (error) {
    throw unreadable(error);
  }
}

/** Whether the file begins like a JPEG, PNG or WebP. */
function isPicture(bytes: Buffer): boolean {
  const begin = bytes.toString("latin1", 0, 12);
  return begin.startsWith("\xff\xd8\xff") || begin.startsWith("\x89PNG\r\n\x1a\n") || /^RIFF[^]{4}WEBP$/.test(begin);
}

/**
 * Returns how many bytes a decoder holds of the whole picture. A baseline JPEG is shrunk while it is read; a
 * progressive one keeps two bytes for each sample until its last scan. PNG and WebP count in full, because interlaced
 * and rotated ones are held in full.
 */
function heldBytes({ format, width = 0, height = 0, channels = 4, depth, isProgressive }: Metadata): number {
  if (format === "jpeg") return isProgressive ? width * height * channels * 2 : 0;
  return width * height * channels * (depth === "ushort" ? 2 : 1);
}

/**
 * Returns an upper bound of the number of scans in a JPEG. Each scan begins with the marker FF DA. The same two bytes
 * can also occur a few times in a thumbnail or a colour profile.
 */
function scansOf(bytes: Buffer): number {
  let scans = 0;
  for (let at = bytes.indexOf(startOfScan); at !== -1 && scans <= maxScans; at = bytes.indexOf(startOfScan, at + 2))
    scans++;
  return scans;
}

const startOfScan = Buffer.from([0xff, 0xda]);

function encode(image: Sharp, format: PhotoFormat): Promise<Buffer> {
  return (format === "webp" ? image.webp({ quality: 82 }) : image.jpeg({ quality: 85, mozjpeg: true })).toBuffer();
}

function unreadable(error: unknown): DomainError {
  if (error instanceof Error && /pixel limit/i.test(error.message))
    return unfit(`has more than ${maxPixels / 1_000_000} million pixels`);
  if (error instanceof Error && /^timeout/i.test(error.message))
    return unfit(`takes more than ${maxSeconds} seconds to read`);
  return new DomainError(
    "unsupported_media_type",
    "The file is not a picture that can be read. Send a JPEG, PNG or WebP.",
    { headers: { accept: "image/jpeg, image/png, image/webp" } },
  );
}

const unfit = (what: string) =>
  new DomainError("invalid_request", `The picture ${what}.`, {
    errors: [{ pointer: "/photo", code: "image_size", message: what }],
  });
