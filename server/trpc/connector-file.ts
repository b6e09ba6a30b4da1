import { z } from "zod";
import { pageUploadLimit } from "@/server/connectors/page-upload";
import { receiveUpload, type Upload } from "@/server/core/blobs/upload";
import { parseInput } from "@/server/core/input";

/** The file as the page sends it: packed, and in base64, because JSON cannot hold bytes. */
const sentFile = z.strictObject({ id: z.string(), file: z.base64().max(Math.ceil(pageUploadLimit / 3) * 4) });

/** Passes a file that a page sent in base64 to the operation. */
export async function uploadFromPage<O>(
  call: (input: { id: string; file: Upload }) => Promise<O>,
  sent: z.input<typeof sentFile>,
): Promise<O> {
  const { id, file: text } = parseInput(sentFile, sent);
  const file = await receiveUpload(one(Buffer.from(text, "base64")), pageUploadLimit);
  try {
    return await call({ id, file });
  } finally {
    await file.discard();
  }
}

async function* one(bytes: Uint8Array) {
  yield bytes;
}
