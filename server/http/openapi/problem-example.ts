import { errorTable, type ErrorCode } from "@/server/core/errors";
import { credentialId, requestId } from "./examples/common";

/** The refusal that serves as the example of each status. */
const refusals = {
  400: ["invalid_request", "limit must be a whole number from 1 to 100."],
  401: ["invalid_token", "The token is unknown, revoked or expired."],
  403: ["insufficient_scope", "This needs the scope credentials:issue."],
  404: ["not_found", "There is no such credential in this organisation."],
  409: ["credential_exists", `The subject holds a live credential of this template: ${credentialId}.`],
  412: [
    "precondition_failed",
    "It was changed after you read it. Read it again, repeat your change on what it is now, and send that ETag in If-Match.",
  ],
  410: ["event_expired", "The event has expired: its content is no longer kept and cannot be sent again."],
  413: ["payload_too_large", "The body may have at most 1048576 bytes."],
  415: ["unsupported_media_type", "Send the body as application/json."],
  422: ["idempotency_key_reused", "This Idempotency-Key was used for another request."],
  429: ["rate_limited", "Too many requests. Try again in 12 seconds."],
  500: [
    "internal_error",
    "Something went wrong on our side and was logged under this requestId. A retry is safe with the same Idempotency-Key.",
  ],
  503: [
    "unavailable",
    "The database cannot be reached. Try again shortly; where an Idempotency-Key was sent, with the same one.",
  ],
} as const;

/** Builds an RFC 9457 example of a refusal; uses the detail of `refusals` if that is of the same code. */
export function problemExample(code: ErrorCode) {
  const [status, , title] = errorTable[code];
  const worded = (refusals as Record<number, readonly [ErrorCode, string]>)[status];
  const detail = worded?.[0] === code ? worded[1] : `${title}.`;
  return { type: `https://credentials.example.edu/docs/errors#${code}`, title, status, detail, code, requestId };
}

/** Chooses the code of a refusal's example among those that an operation has with this status. */
export function exampleCode(status: number, codes: readonly ErrorCode[]): ErrorCode {
  const worded = (refusals as Record<number, readonly [ErrorCode, string]>)[status]?.[0];
  return worded && codes.includes(worded)
    ? worded
    : (codes.findLast((code) => !code.startsWith("idempotency_")) ?? codes[0]!);
}
