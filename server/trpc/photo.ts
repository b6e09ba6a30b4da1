import { z } from "zod";
import { imageLimit } from "@/server/achievements/image-limits";
import { receiveUpload, type Upload } from "@/server/core/blobs/upload";
import type { Download } from "@/server/core/download";
import { parseInput } from "@/server/core/input";
import { photoLimit } from "@/server/subjects/photo-limits";

/** The photo as the page sends it: in base64, because JSON cannot hold bytes. */
const sentPhoto = z.strictObject({
  id: z.string(),
  ifMatch: z.string().optional(),
  photo: z.base64().max(Math.ceil(photoLimit / 3) * 4),
});

/** Passes a photo that a page sent in base64 to the operation as a file. */
export async function setPhotoFromPage<O>(
  call: (input: { id: string; ifMatch?: string | undefined; photo: Upload }) => Promise<O>,
  sent: z.input<typeof sentPhoto>,
): Promise<O> {
  const { photo, ...rest } = parseInput(sentPhoto, sent);
  return withFile(photo, photoLimit, (file) => call({ ...rest, photo: file }));
}

/** The picture of a version of an achievement as the page sends it. */
const sentImage = z.strictObject({
  id: z.string(),
  version: z.int(),
  image: z.base64().max(Math.ceil(imageLimit / 3) * 4),
});

/** Passes a picture that a page sent in base64 to the operation as a file. */
export async function setImageFromPage<O>(
  call: (input: { id: string; version: number; image: Upload }) => Promise<O>,
  sent: z.input<typeof sentImage>,
): Promise<O> {
  const { image, ...rest } = parseInput(sentImage, sent);
  return withFile(image, imageLimit, (file) => call({ ...rest, image: file }));
}

async function withFile<O>(base64: string, limit: number, use: (file: Upload) => Promise<O>): Promise<O> {
  const file = await receiveUpload(one(Buffer.from(base64, "base64")), limit);
  try {
    return await use(file);
  } finally {
    await file.discard();
  }
}

/** Converts a picture into a data URL for a page. */
export async function dataUrl({ type, chunks }: Download): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of chunks) pieces.push(Buffer.from(piece));
  return `data:${type};base64,${Buffer.concat(pieces).toString("base64")}`;
}

async function* one(bytes: Uint8Array) {
  yield bytes;
}
