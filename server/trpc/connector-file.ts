import { z } from "zod";
import { pageUploadLimit } from "@/server/connectors/page-upload";
import type { PreviewAction } from "@/server/connectors/preview/view";
import { receiveUpload, type Upload } from "@/server/core/blobs/upload";
import { parseInput } from "@/server/core/input";

/** The file as the page sends it: packed, and in base64, because JSON cannot hold bytes. */
const packed = z.base64().max(Math.ceil(pageUploadLimit / 3) * 4);

const sentFile = z.strictObject({ id: z.string(), file: packed, mode: z.literal("delta").optional() });

/** Passes a file that a page sent in base64 to the operation. */
export function uploadFromPage<O>(
  call: (input: { id: string; file: Upload; mode?: "delta" }) => Promise<O>,
  sent: z.input<typeof sentFile>,
): Promise<O> {
  const { id, file, mode } = parseInput(sentFile, sent);
  return withFile(file, (received) => call({ id, file: received, ...(mode && { mode }) }));
}

const sentPreview = z.object({ file: packed });

interface PreviewRequest {
  connectorId: string;
  actions?: PreviewAction[];
  mode?: "delta";
  cursor?: string;
}

/** Does the same as uploadFromPage for a preview. */
export function previewFromPage<O>(
  call: (input: PreviewRequest & { file: Upload }) => Promise<O>,
  sent: PreviewRequest & z.input<typeof sentPreview>,
): Promise<O> {
  const { file } = parseInput(sentPreview, sent);
  return withFile(file, (received) => call({ ...sent, file: received }));
}

const sentSample = z.strictObject({ file: packed });

/** Does the same as uploadFromPage for a sample. */
export function sampleFromPage<O>(
  call: (input: { file: Upload }) => Promise<O>,
  sent: z.input<typeof sentSample>,
): Promise<O> {
  const { file } = parseInput(sentSample, sent);
  return withFile(file, (received) => call({ file: received }));
}

async function withFile<O>(text: string, use: (file: Upload) => Promise<O>): Promise<O> {
  const file = await receiveUpload(one(Buffer.from(text, "base64")), pageUploadLimit);
  try {
    return await use(file);
  } finally {
    await file.discard();
  }
}

async function* one(bytes: Uint8Array) {
  yield bytes;
}
