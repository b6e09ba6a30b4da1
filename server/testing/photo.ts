import sharp from "sharp";
import { receiveUpload } from "@/server/core/blobs/upload";
import type { Ctx } from "@/server/core/context";
import { setPhoto } from "@/server/subjects/set-photo";

/** Creates a picture of one colour. */
export function picture({
  width = 400,
  height = 400,
  colour = "#336699",
  format = "jpeg" as "jpeg" | "png" | "webp",
} = {}): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .toFormat(format)
    .toBuffer();
}

/** Sets a photo of one colour, by calling the operation in this process. */
export async function photoOf(ctx: Ctx, id: string, colour?: string) {
  const bytes = await picture({ ...(colour && { colour }) });
  const photo = await receiveUpload(
    (async function* () {
      yield bytes;
    })(),
    bytes.length,
  );
  try {
    return await setPhoto(ctx, { id, photo });
  } finally {
    await photo.discard();
  }
}
