import { hash } from "node:crypto";
import type { Verification } from "@/server/verification/view";
import type { Reply } from "./endpoint";
import { namesTag } from "./if-none-match";

/** Must be asked anew each time: a stale answer would tell a revoked credential valid (contract section 8). */
export const alwaysRevalidated = { "cache-control": "no-cache" };

/**
 * A verification as an HTTP answer. The ETag stands for the decision and all that is told with it, not for the instant
 * of checking, so two answers with one ETag differ in checkedAt: a weak validator (RFC 9110 section 8.8.1).
 */
export function verificationAnswer(request: Request, verification: Verification): Reply {
  const body = JSON.stringify(verification);
  const etag = `W/"${hash("sha1", body.replace(verification.checkedAt, ""), "base64url")}"`;
  const headers = { ...alwaysRevalidated, etag };
  if (request.method !== "POST" && namesTag(request.headers.get("if-none-match"), etag))
    return { status: 304, body: null, headers };
  return { status: 200, body, headers: { ...headers, "content-type": "application/json" } };
}
