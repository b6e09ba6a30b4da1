import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { env } from "@/server/core/env";
import { clientAddress } from "@/server/http/rest/client-address";
import { endpoint, type Endpoint, type Exchange } from "@/server/http/rest/endpoint";
import { namesTag } from "@/server/http/rest/if-none-match";
import { problemResponse } from "@/server/http/rest/problem";
import { consumePage } from "@/server/http/rest/rate-limit";

interface Loaded {
  plain: Uint8Array<ArrayBuffer>;
  compressed: Uint8Array<ArrayBuffer>;
  etag: string;
}

/**
 * Serves a file of a package. It is compressed once per process: compressing 3 MB takes 0.1 s, too long to do it per
 * request. A client that has the file gets 304.
 */
export function staticFile(
  file: string,
  type = "text/javascript; charset=utf-8",
  keep = "public, max-age=86400",
): Endpoint {
  let loaded: Promise<Loaded> | undefined;
  const dialect = {
    admit: async ({ request }: Exchange) => void (await consumePage(clientAddress(request), "file")),
    refuse: problemResponse,
  };
  return endpoint(dialect, async ({ request }) => {
    const { plain, compressed, etag } = await (loaded ??= load(file).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
    const headers = { etag, "cache-control": keep, vary: "accept-encoding" };
    if (namesTag(request.headers.get("if-none-match"), etag)) return { status: 304, body: null, headers };
    // In development Next serves this file and drops the Content-Encoding.
    const zipped =
      env().NODE_ENV !== "development" &&
      /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s|,|$))/i.test(request.headers.get("accept-encoding") ?? "");
    return {
      status: 200,
      body: zipped ? compressed : plain,
      headers: { ...headers, "content-type": type, ...(zipped && { "content-encoding": "gzip" }) },
    };
  });
}

async function load(file: string): Promise<Loaded> {
  const plain = new Uint8Array(await readFile(file));
  const compressed = new Uint8Array(await promisify(gzip)(plain, { level: 9 }));
  return { plain, compressed, etag: `W/"${createHash("sha256").update(plain).digest("base64url")}"` };
}
