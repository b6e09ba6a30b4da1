import { noteRefusedScope } from "@/server/access/note-refusal";
import type { Ctx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { actingFor } from "@/server/core/organisation-share";
import { admitBearer } from "@/server/http/rest/bearer";
import { bulkValues } from "@/server/http/rest/bounded-values";
import { clientAddress } from "@/server/http/rest/client-address";
import { endpoint, type Dialect, type Endpoint, type Exchange, type Reply } from "@/server/http/rest/endpoint";
import { asDomainError } from "@/server/http/rest/problem";
import { readJson } from "@/server/http/rest/read-body";
import { respond } from "@/server/http/rest/respond";
import { ScimError, type ScimType } from "@/server/scim/protocol/error";
import { errorUrn } from "@/server/scim/protocol/messages";
import { versionTag, type Resource } from "@/server/scim/users/view";

const mediaType = "application/scim+json";
const json = { "content-type": mediaType };

/** Codes of the domain that have a scimType (RFC 7644 section 3.12). */
const scimTypes: Partial<Record<DomainError["code"], ScimType>> = {
  external_id_taken: "uniqueness",
  subject_erased: "uniqueness",
  malformed_json: "invalidSyntax",
  malformed_request: "invalidSyntax",
  invalid_request: "invalidValue",
};

/** The dialect of SCIM: bearer tokens, errors as in RFC 7644 section 3.12. */
const scim: Dialect<Ctx> = {
  admit: admitBearer,
  refuse(error, requestId) {
    const { status, scimType, detail, headers } =
      error instanceof ScimError
        ? { status: error.status, scimType: error.scimType, detail: error.message, headers: {} }
        : refusal(asDomainError(error, requestId));
    return respond(
      JSON.stringify({ schemas: [errorUrn], ...(scimType && { scimType }), detail, status: String(status) }),
      { status, headers: { ...headers, ...json } },
    );
  },
};

function refusal(error: DomainError) {
  const { status, message, code, extras } = error;
  return { status, scimType: scimTypes[code], detail: message, headers: extras.headers };
}

/** A request of SCIM with what most operations read of it. */
export interface ScimRequest extends Exchange {
  ctx: Ctx;
  query: Record<string, string>;
  ifMatch: string | undefined;
  /** @throws DomainError malformed_json, payload_too_large, unsupported_media_type */
  body(): Promise<Record<string, never>>;
}

/** Bytes of a body. A PATCH with 10,000 members has a megabyte. */
const mostBytes = 10 * 1024 * 1024;

/** Serves a request of SCIM. */
export function scimRoute(serve: (request: ScimRequest) => Promise<Reply>): Endpoint {
  return endpoint(scim, (exchange, ctx) =>
    actingFor(ctx.orgId, () =>
      serve({
        ...exchange,
        ctx,
        query: queryOf(exchange.request.url),
        ifMatch: exchange.request.headers.get("if-match") ?? undefined,
        body: async () =>
          (await readJson(exchange.request, { bytes: mostBytes, values: bulkValues })) as Record<string, never>,
      }),
    ).catch((error: unknown) => {
      noteRefusedScope(error, ctx, clientAddress(exchange.request));
      throw error;
    }),
  );
}

export const unknownScimPath = scimRoute(async () => {
  throw new ScimError(
    404,
    undefined,
    "There is no such endpoint. GET /scim/v2/ResourceTypes lists those that there are.",
  );
});

/** The parameters of a query; of one that is repeated, the last. */
const queryOf = (url: string): Record<string, string> => Object.fromEntries(new URL(url).searchParams);

export const answer = (body: object, status = 200): Reply => ({ status, body: JSON.stringify(body), headers: json });

export const nothing: Reply = { status: 204, body: null, headers: {} };

/** Answers with one resource, its ETag and, where it was created, its address. */
export function resourceAnswer({ body, version, location }: Resource, status = 200): Reply {
  return {
    status,
    body: JSON.stringify(body),
    headers: { ...json, etag: versionTag(version), ...(status === 201 && { location }) },
  };
}
