import { noteRefusedScope } from "@/server/access/note-refusal";
import type { Ctx } from "@/server/core/context";
import { actingFor } from "@/server/core/organisation-share";
import { admitBearer } from "@/server/http/rest/bearer";
import { bulkValues } from "@/server/http/rest/bounded-values";
import { clientAddress } from "@/server/http/rest/client-address";
import { endpoint, type Dialect, type Endpoint, type Exchange, type Reply } from "@/server/http/rest/endpoint";
import { consumeAddress } from "@/server/http/rest/rate-limit";
import { readJson } from "@/server/http/rest/read-body";
import { ScimError } from "@/server/scim/protocol/error";
import type { Listed } from "@/server/scim/page";
import { mostPayload } from "@/server/scim/query";
import { noting } from "@/server/scim/requests/effect";
import { listUrn } from "@/server/scim/protocol/messages";
import type { Resource } from "@/server/scim/users/view";
import { recordOutcome } from "./record-outcome";
import { mediaType, scimRefusal } from "./refusal";
import { tidyPath } from "./tidy-path";

const json = { "content-type": mediaType };

/** The dialect of SCIM: bearer tokens, errors as in RFC 7644 section 3.12. */
const scim: Dialect<Ctx> = {
  admit: admitBearer,
  refuse: scimRefusal,
};

const visitor: Dialect<void> = {
  async admit({ request, headers }) {
    Object.assign(headers, await consumeAddress(clientAddress(request)));
  },
  refuse: scimRefusal,
};

/** A SCIM request with the data that most operations need. */
export interface ScimRequest extends Exchange {
  ctx: Ctx;
  query: Record<string, string>;
  ifMatch: string | undefined;
  /** @throws DomainError malformed_json, payload_too_large, unsupported_media_type */
  body(): Promise<Record<string, never>>;
}

/** Serves a request of SCIM. */
export function scimRoute(serve: (request: ScimRequest) => Promise<Reply>): Endpoint {
  return endpoint(scim, (exchange, caller) => {
    const { ctx, noted } = noting(caller);
    return actingFor(ctx.orgId, () =>
      serve({
        ...exchange,
        ctx,
        query: queryOf(exchange.request.url),
        ifMatch: exchange.request.headers.get("if-match") ?? undefined,
        body: async () =>
          (await readJson(exchange.request, { bytes: mostPayload, values: bulkValues, mediaType })) as Record<
            string,
            never
          >,
      }),
    ).then(
      (reply) => {
        recordOutcome(exchange, ctx, noted, { reply });
        return reply;
      },
      (error: unknown) => {
        noteRefusedScope(error, ctx, clientAddress(exchange.request));
        recordOutcome(exchange, ctx, noted, { error });
        throw error;
      },
    );
  });
}

/** Serves a request of SCIM that needs no token. It is rate-limited by address and not recorded. */
export const visitorRoute = (serve: (request: Pick<ScimRequest, "query" | "params">) => Promise<Reply>): Endpoint =>
  endpoint(visitor, ({ request, params }) => serve({ params, query: queryOf(request.url) }));

export const unknownScimPath = scimRoute(async ({ request }) => {
  if (/^\/scim\/v2\/me(?:\/|$)/i.test(tidyPath(new URL(request.url).pathname)))
    throw new ScimError(501, undefined, "There is no /Me here: a token belongs to a directory, not to a person.");
  throw new ScimError(
    404,
    undefined,
    "There is no such endpoint. GET /scim/v2/ResourceTypes lists those that there are.",
  );
});

/** The query parameters; of a repeated one, the last value. */
const queryOf = (url: string): Record<string, string> => Object.fromEntries(new URL(url).searchParams);

export const answer = (body: object, status = 200): Reply => ({ status, body: JSON.stringify(body), headers: json });

/** A reply whose body is a text, or that has none. */
export type TextReply = Reply & { body: string | null };

export const nothing: TextReply = { status: 204, body: null, headers: {} };

/** Answers with one resource, its ETag and, where it was created, its address. */
export function resourceAnswer({ body, tag, location }: Resource, status = 200): TextReply {
  return {
    status,
    body: JSON.stringify(body),
    headers: { ...json, etag: tag, ...(status === 201 && { location }) },
  };
}

export const idOf = ({ params }: ScimRequest): string => params["id"]!;

/** Whether If-None-Match names the ETag, among others or as *, compared weakly (RFC 9110 section 13.1.2). */
const isKnown = (sent: string, tag: string): boolean =>
  sent.split(",").some((each) => each.trim() === "*" || opaqueTag(each.trim()) === opaqueTag(tag));

const opaqueTag = (tag: string) => tag.replace(/^W\//, "");

/** Answers with one resource, or 304 where the client has this version. */
export const unlessKnown = ({ request }: ScimRequest, resource: Resource): Reply =>
  isKnown(request.headers.get("if-none-match") ?? "", resource.tag)
    ? { status: 304, body: null, headers: { etag: resource.tag } }
    : resourceAnswer(resource);

/** The envelope of a list (RFC 7644 section 3.4.2, RFC 9865 section 2.2). */
export const listAnswer = ({ total, resources, ...position }: Listed): Reply =>
  answer({
    schemas: [listUrn],
    totalResults: total,
    ...position,
    itemsPerPage: resources.length,
    Resources: resources,
  });
