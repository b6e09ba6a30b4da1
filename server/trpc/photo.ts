import { z } from "zod";
import { receiveUpload, type Upload } from "@/server/core/blobs/upload";
import type { Download } from "@/server/core/download";
import { parseInput } from "@/server/core/input";
import { photoLimit } from "@/server/subjects/set-photo";

/** What the page sends: JSON holds no bytes. */
const sentPhoto = z.strictObject({
  id: z.string(),
  ifMatch: z.string().optional(),
  photo: z.base64().max(Math.ceil(photoLimit / 3) * 4),
});

/** Hands a picture that a page sent in base64 to the operation, as a file. */
export async function setPhotoFromPage<O>(
  call: (input: { id: string; ifMatch?: string | undefined; photo: Upload }) => Promise<O>,
  sent: z.input<typeof sentPhoto>,
): Promise<O> {
  const { photo, ...rest } = parseInput(sentPhoto, sent);
  const file = await receiveUpload(one(Buffer.from(photo, "base64")), photoLimit);
  try {
    return await call({ ...rest, photo: file });
  } finally {
    await file.discard();
  }
}

/** A picture as a page shows it. */
export async function dataUrl({ type, chunks }: Download): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of chunks) pieces.push(Buffer.from(piece));
  return `data:${type};base64,${Buffer.concat(pieces).toString("base64")}`;
}

async function* one(bytes: Uint8Array) {
  yield bytes;
}
