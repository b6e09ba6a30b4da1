import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { env } from "@/server/core/env";
import { newId } from "@/server/core/ids";
import { clientAddress } from "./client-address";
import { problemResponse } from "./problem";
import { consumePage } from "./rate-limit";
import { securityHeaders } from "./respond";

interface Loaded {
  plain: Uint8Array<ArrayBuffer>;
  compressed: Uint8Array<ArrayBuffer>;
  etag: string;
}

/**
 * Serves a file of a package, compressed once a process: compressing three megabytes takes a tenth of a second, too long to do it for
 * whoever asks. A client that has it already gets 304.
 */
export function staticFile(file: string, type = "text/javascript; charset=utf-8"): (request: Request) => Promise<Response> {
  let loaded: Promise<Loaded> | undefined;
  return async (request) => {
    const requestId = newId("req");
    try {
      await consumePage(clientAddress(request), "file");
    } catch (error) {
      return problemResponse(error, requestId);
    }
    const { plain, compressed, etag } = await (loaded ??= load(file).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
    const headers = { ...securityHeaders(), "request-id": requestId, etag, "cache-control": "public, max-age=86400", vary: "accept-encoding" };
    if (names(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
    // In development Next serves this file, and drops the Content-Encoding.
    const zipped = env().NODE_ENV !== "development" && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s|,|$))/i.test(request.headers.get("accept-encoding") ?? "");
    return new Response(zipped ? compressed : plain, {
      headers: { ...headers, "content-type": type, ...(zipped && { "content-encoding": "gzip" }) },
    });
  };
}

async function load(file: string): Promise<Loaded> {
  const plain = new Uint8Array(await readFile(file));
  const compressed = new Uint8Array(await promisify(gzip)(plain, { level: 9 }));
  return { plain, compressed, etag: `W/"${createHash("sha256").update(plain).digest("base64url")}"` };
}

function names(header: string | null, etag: string): boolean {
  return header !== null && (header.trim() === "*" || header.split(",").some((each) => each.trim().replace(/^W\//, "") === etag.slice(2)));
}
