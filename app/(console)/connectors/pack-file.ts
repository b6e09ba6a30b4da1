import { pageUploadLimit } from "@/server/connectors/page-upload";

/** Why a file cannot be sent from a page, in words for people. */
export class UnfitFile extends Error {}

/**
 * Packs a file and writes it as base64, as the console's requests take it. Lists of people pack to about a tenth.
 * @throws UnfitFile
 */
export async function packFile(file: File): Promise<string> {
  if (file.size === 0) throw new UnfitFile(`“${file.name}” is empty. Choose another file.`);
  const isPacked = /\.(gz|zip|xlsx)$/i.test(file.name);
  const stream = isPacked ? file.stream() : file.stream().pipeThrough(new CompressionStream("gzip"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  if (packed.length > pageUploadLimit)
    throw new UnfitFile("This file is too large to be sent from here. Upload it with the API, which takes 512 MB.");
  return base64(packed);
}

/** In pieces: a call takes only so many arguments. The length of each but the last is a multiple of three. */
function base64(bytes: Uint8Array): string {
  const size = 3 * 8192;
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += size)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + size))));
  return pieces.join("");
}
