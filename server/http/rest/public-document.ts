import { hash } from "node:crypto";
import type { Reply } from "./endpoint";
import { namesTag } from "./if-none-match";

/** A document for anyone, which caches may keep for a time. */
interface PublicDocument {
  body: string;
  type: string;
  maxAgeSeconds: number;
  /** Request headers that select the form of the document, e.g. "Accept". */
  vary?: string;
}

/** Builds the response of a public document: with an ETag of its bytes, and 304 if the request names it. */
export function publicDocument(request: Request, { body, type, maxAgeSeconds, vary }: PublicDocument): Reply {
  const etag = `"${hash("sha256", body, "base64url").slice(0, 27)}"`;
  const headers = { etag, "cache-control": `public, max-age=${maxAgeSeconds}`, ...(vary && { vary }) };
  if (namesTag(request.headers.get("if-none-match"), etag)) return { status: 304, body: null, headers };
  return { status: 200, body, headers: { ...headers, "content-type": type } };
}
