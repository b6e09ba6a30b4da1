import { hash } from "node:crypto";
import type { Verification } from "@/server/verification/view";
import type { Reply } from "./endpoint";
import { namesTag } from "./if-none-match";

/**
 * Clients must revalidate each time: a stale response would show a revoked credential as valid (contract section 8).
 */
export const alwaysRevalidated = { "cache-control": "no-cache" };

/**
 * Builds the HTTP response of a verification. The ETag covers the decision and everything reported with it except
 * checkedAt. Two responses with the same ETag may differ in checkedAt, so the ETag is weak (RFC 9110 section 8.8.1).
 */
export function verificationAnswer(request: Request, verification: Verification): Reply {
  const body = JSON.stringify(verification);
  const etag = `W/"${hash("sha1", body.replace(verification.checkedAt, ""), "base64url")}"`;
  const headers = { ...alwaysRevalidated, etag };
  if (request.method !== "POST" && namesTag(request.headers.get("if-none-match"), etag))
    return { status: 304, body: null, headers };
  return { status: 200, body, headers: { ...headers, "content-type": "application/json" } };
}
