import { hash } from "node:crypto";
import type { Download } from "@/server/core/download";

/** A file in memory, with an ETag of its bytes. */
export function wholeFile(bytes: Uint8Array | string, type: string, fileName: string): Download {
  return {
    type,
    fileName,
    size: Buffer.byteLength(bytes),
    etag: `"${hash("sha256", bytes, "base64url").slice(0, 27)}"`,
    chunks: once(bytes),
  };
}

async function* once(bytes: Uint8Array | string): AsyncIterable<Uint8Array | string> {
  yield bytes;
}

/** The headers of files that only the organisation may read, and of public files. */
export const fileHeaders = {
  private: { "cache-control": "private, no-cache", vary: "authorization" },
  public: { "cache-control": "no-cache" },
};
