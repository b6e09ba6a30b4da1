import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { unavailable } from "@/server/core/unavailable";
import { defaultHeaders, respond } from "./respond";

/** Turns whatever was thrown into a problem document (RFC 9457): never a stack, never an HTML page. */
export function problemResponse(error: unknown, requestId: string): Response {
  const { body, status, headers } = problemOf(error, requestId);
  return respond(body, { status, headers });
}

/** Like problemResponse, for a socket without a Response: returns body, status and all headers. */
export function problemAnswer(error: unknown, requestId: string) {
  const { body, status, headers } = problemOf(error, requestId);
  return { body, status, headers: { ...defaultHeaders(), ...headers } };
}

function problemOf(error: unknown, requestId: string) {
  const known = asDomainError(error, requestId);
  const headers: Record<string, string> = {
    "content-type": "application/problem+json",
    "request-id": requestId,
    ...known.extras.headers,
  };
  return { body: problemBody(known, requestId), status: known.status, headers };
}

export function problemBody(error: DomainError, requestId: string): string {
  return JSON.stringify({
    // First, so that the standard members below overwrite them if the type was circumvented.
    ...error.extras.members,
    type: `${env().PUBLIC_URL}/docs/errors#${error.code}`,
    title: error.title,
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.extras.errors && { errors: error.extras.errors }),
  });
}

/** Returns the error to refuse with. An unexpected error is logged, an outage now and then; causes are not disclosed. */
export function asDomainError(error: unknown, requestId: string): DomainError {
  if (error instanceof DomainError) return error;
  const outage = unavailable(error);
  if (outage) return outage;
  log().error({ requestId, err: error }, "request failed");
  return new DomainError(
    "internal_error",
    "Something went wrong on our side and was logged under this requestId. A retry is safe with the same Idempotency-Key.",
  );
}
