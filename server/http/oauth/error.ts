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

/** A refusal with an error code of RFC 6749 section 5.2. */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthCode,
    description: string,
    readonly status = code === "invalid_client" ? 401 : 400,
  ) {
    super(description);
  }
}

/** Turns whatever was thrown into a response as in RFC 6749 section 5.2. */
export function oauthErrorResponse(error: unknown, requestId: string): Response {
  const { code, status, message, headers } =
    error instanceof OAuthError ? { ...refusal(error), message: error.message } : failure(error, requestId);
  // error_description may hold only these characters (RFC 6749 appendix A.8).
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

/** Maps a rate limit, an oversized body or an internal failure, whose cause is not disclosed. */
function failure(error: unknown, requestId: string) {
  const known = asDomainError(error, requestId);
  const { status, extras } = known;
  const code: OAuthCode =
    status === 500 ? "server_error" : status === 429 || status === 503 ? "temporarily_unavailable" : "invalid_request";
  return {
    code,
    status,
    message: status === 500 ? "Something went wrong on our side." : known.message,
    headers: extras.headers,
  };
}
