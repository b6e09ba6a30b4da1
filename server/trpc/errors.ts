import { TRPCError } from "@trpc/server";
import { DomainError, errorTable, type ErrorCode, type InputIssue } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { unavailable } from "@/server/core/unavailable";

/** A refusal as the console receives it: the members of the API's problem document that it needs. */
export interface Problem {
  code: ErrorCode;
  title: string;
  status: number;
  detail: string;
  requestId?: string;
  errors?: InputIssue[];
  /** Further members, e.g. the id of the credential that exists already. */
  members?: Record<string, unknown>;
}

/** Runs a procedure. Turns a DomainError into a TRPCError with the code from the error table (core/errors.ts). */
export async function mapped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new TRPCError({ code: errorTable[error.code][1], message: error.message, cause: error });
  }
}

/** The codes of tRPC's own errors in our error table. */
const codes: Partial<Record<TRPCError["code"], ErrorCode>> = {
  PARSE_ERROR: "malformed_json",
  BAD_REQUEST: "malformed_request",
  NOT_FOUND: "not_found",
  METHOD_NOT_SUPPORTED: "method_not_allowed",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
  PAYLOAD_TOO_LARGE: "payload_too_large",
};

/** Converts an error into a problem. An unexpected error is logged, and its message is not shown. */
export function problemOf(error: TRPCError, requestId: string | undefined): Problem {
  const known = error.cause instanceof DomainError ? error.cause : own(error, requestId);
  return {
    code: known.code,
    title: known.title,
    status: known.status,
    detail: known.message,
    ...(requestId && { requestId }),
    ...(known.extras.errors && { errors: known.extras.errors }),
    ...(known.extras.members && { members: known.extras.members }),
  };
}

function own(error: TRPCError, requestId: string | undefined): DomainError {
  const code = codes[error.code];
  if (code) return new DomainError(code, error.message);
  const outage = unavailable(error.cause);
  if (outage) return outage;
  log().error({ requestId, err: error.cause ?? error }, "procedure failed");
  return new DomainError("internal_error", "Something went wrong on our side and was logged.");
}
