import { pageUploadLimit } from "@/server/connectors/page-upload";

/** Why the console cannot send a file, as a message for administrators. */
export class UnfitFile extends Error {}

/**
 * Compresses a file and encodes it as base64 for the console's JSON requests. Lists of people shrink to about a tenth.
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

/**
 * Encode in pieces, because a function call takes a limited number of arguments. The length of every piece but the last
 * is a multiple of three.
 */
function base64(bytes: Uint8Array): string {
  const size = 3 * 8192;
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += size)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + size))));
  return pieces.join("");
}
