import { DomainError } from "@/server/core/errors";
import { asDomainError } from "@/server/http/rest/problem";
import { respondJson } from "@/server/http/rest/respond";

type OAuthCode =
  | "invalid_request"
  | "invalid_client"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "temporarily_unavailable"
  | "server_error";

/** A refusal as RFC 6749 section 5.2 words it. */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthCode,
    description: string,
    readonly status = code === "invalid_client" ? 401 : 400,
  ) {
    super(description);
  }
}

/** The answer to whatever was thrown, in the shape of RFC 6749 section 5.2. */
export function oauthErrorResponse(error: unknown, requestId: string): Response {
  const { code, status, message, headers } =
    error instanceof OAuthError ? { ...refusal(error), message: error.message } : failure(error, requestId);
  // The descriptions may hold no character but these (appendix A.8).
  const description = message.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
  return respondJson({ error: code, error_description: description }, { status, headers });
}

function refusal({ code, status }: OAuthError) {
  return {
    code,
    status,
    headers: { ...(status === 401 && { "www-authenticate": 'Basic realm="oauth", charset="UTF-8"' }) },
  };
}

/** A limit, an oversized body, or a failure of ours, of which the caller learns nothing. */
function failure(error: unknown, requestId: string) {
  const { status, extras } = asDomainError(error, requestId);
  const code: OAuthCode =
    status === 500 ? "server_error" : status === 429 || status === 503 ? "temporarily_unavailable" : "invalid_request";
  return {
    code,
    status,
    message: error instanceof DomainError ? error.message : "Something went wrong on our side.",
    headers: extras.headers,
  };
}
