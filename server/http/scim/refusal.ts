import { DomainError } from "@/server/core/errors";
import { asDomainError } from "@/server/http/rest/problem";
import { respond } from "@/server/http/rest/respond";
import { ScimError, type ScimType } from "@/server/scim/protocol/error";
import { errorUrn } from "@/server/scim/protocol/messages";

export const mediaType = "application/scim+json";

/** Codes of the domain that have a scimType (RFC 7644 section 3.12). */
const scimTypes: Partial<Record<DomainError["code"], ScimType>> = {
  external_id_taken: "uniqueness",
  subject_erased: "uniqueness",
  malformed_json: "invalidSyntax",
  malformed_request: "invalidSyntax",
  invalid_request: "invalidValue",
};

/** A refusal as RFC 7644 section 3.12 writes it: its status, its body and headers. */
export function errorOf(error: unknown, requestId: string) {
  if (error instanceof ScimError) return { status: error.status, body: bodyOf(error, error.scimType), headers: {} };
  const refused = asDomainError(error, requestId);
  const { etag, ...headers } = refused.extras.headers ?? {};
  return {
    status: refused.status,
    body: bodyOf(refused, scimTypes[refused.code]),
    // In the form in which every other SCIM answer writes the version, because clients compare the two as strings.
    headers: { ...headers, ...(etag && { etag: etag.startsWith("W/") ? etag : `W/${etag}` }) },
  };
}

const bodyOf = ({ status, message }: { status: number; message: string }, scimType: ScimType | undefined) => ({
  schemas: [errorUrn],
  ...(scimType && { scimType }),
  detail: message,
  status: String(status),
});

/** The answer to a request that is refused. */
export function scimRefusal(error: unknown, requestId: string): Response {
  const { status, body, headers } = errorOf(error, requestId);
  return respond(JSON.stringify(body), { status, headers: { ...headers, "content-type": mediaType } });
}

/** Why a request was refused, in words that repeat nothing of the request, and its status. */
export function reasonOf(error: unknown): { status: number; error: string } {
  if (error instanceof ScimError) return { status: error.status, error: error.message };
  if (error instanceof DomainError) return { status: error.status, error: error.title };
  return { status: 500, error: "Something went wrong on our side" };
}
