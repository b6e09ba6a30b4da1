import { z } from "zod";
import { noteRefusedScope } from "@/server/access/note-refusal";
import type { Upload } from "@/server/core/blobs/upload";
import type { Ctx } from "@/server/core/context";
import type { Download } from "@/server/core/download";
import { headerFields } from "@/server/core/header-fields";
import { answerTag } from "@/server/core/entity-tag";
import { inputOrigin, invalidInput, type InputOrigin } from "@/server/core/input";
import { requireFixedScopes, type Operation } from "@/server/core/operation";
import { actingFor } from "@/server/core/organisation-share";
import type { Scope } from "@/server/core/scopes";
import { admitAgain, admitBearer } from "./bearer";
import { usualValues } from "./bounded-values";
import { clientAddress } from "./client-address";
import { downloadReply } from "./download-reply";
import { endpoint, type Endpoint, type Exchange, type Reply } from "./endpoint";
import { namesTag } from "./if-none-match";
import { fingerprint, idempotent, readKey, type StoredResponse } from "./idempotency";
import { problemBody, problemResponse } from "./problem";
import { cameSlowly, readJson } from "./read-body";
import { comesAsJson, readFileBody, type FileBody } from "./read-file";
import { readQuery, refuseUnknown } from "./read-url";

/** How one method of one path of the API is served, and how the OpenAPI document describes it. */
export interface RouteSpec<I extends z.ZodType = z.ZodType, O = unknown> {
  operation: Operation<I, O>;
  summary: string;
  description?: string;
  /** The schema of the response's body; null for 204. */
  response: z.ZodType | null;
  /** Schemas of the body by status, for the OpenAPI document, if successful responses differ. */
  responses?: Readonly<Record<number, z.ZodType>>;
  /** Statuses of successful responses; the first is the usual one. */
  statuses?: [number, ...number[]];
  /** Chooses status and body if they depend on the result. */
  respond?(result: O): { status: number; body: unknown };
  /** For a result with 201 or 202: the path of what was created, or of where to follow the work. */
  location?(result: O): string;
  /** Most bytes of a JSON body. */
  bodyLimit?: number;
  /** Most JSON values of a body, counted at all levels. */
  valueLimit?: number;
  /** The body's field with the rows of a bulk request; each row is refused on its own. */
  rows?: "items";
  /** What one of these rows may be, for the OpenAPI document. The operation parses them one by one. */
  row?: z.ZodType;
  /** For a body that is a file, or a form with one, instead of JSON (or as an alternative to it). */
  file?: FileBody;
  /** For a response that is a file: its media types. The operation returns a Download, and `response` is null. */
  download?: {
    types: readonly [string, ...string[]];
    description: string;
    /** Whether it has an ETag. One whose form Accept selects has one anyway. */
    revalidated?: true;
    /** Whether browsers save it, although it is a picture. */
    saved?: true;
  };
  /** Reads input that is not in body, query or path, e.g. from a Prefer header. */
  fromHeaders?(headers: Headers): Record<string, unknown>;
  /**
   * The sets of scopes that a request can need, where that depends on the input or on stored data. The OpenAPI document
   * lists them as alternatives.
   */
  scopeSets?: readonly (readonly Scope[])[];
  /** Examples of the body or query, and of the response. */
  example?: { request?: unknown; response?: unknown };
}

export type RouteHandler = Endpoint & { spec: RouteSpec };

/** The `download` of a route that answers with a CSV file. */
export const csv = { types: ["text/csv"], description: "The file." } as const;

const mebibyte = 1024 * 1024;
const bearer = { admit: admitBearer, refuse: problemResponse };

/**
 * Serves an operation over REST: authenticates, rate-limits, reads the input, runs the operation (only once per
 * Idempotency-Key) and writes the response.
 *
 * @example export const GET = route({ operation: getEvent, summary: "Get an event", response: eventSchema });
 */
export function route<I extends z.ZodType, O>(spec: RouteSpec<I, O>): RouteHandler {
  const handler = endpoint(bearer, (exchange, ctx) =>
    actingFor(ctx.orgId, () => serve(spec, exchange, ctx)).catch((error: unknown) => {
      noteRefusedScope(error, ctx, clientAddress(exchange.request));
      throw error;
    }),
  );
  return Object.assign(handler, { spec: spec as unknown as RouteSpec });
}

async function serve<I extends z.ZodType, O>(spec: RouteSpec<I, O>, exchange: Exchange, admitted: Ctx): Promise<Reply> {
  const { request, params } = exchange;
  // Check the scopes before reading the body, so that an unauthorised caller learns nothing about the input.
  requireFixedScopes(admitted, spec.operation.operation);
  const sendsBody = request.method !== "GET" && request.method !== "HEAD" && request.method !== "DELETE";
  const query = readQuery(request.url);
  if (spec.file) refuseUnknown(query, []);
  const { sent, discard } = sendsBody ? await readSent(spec, request) : { sent: query, discard: undefined };
  try {
    const ctx = cameSlowly(admitted.now) ? await admitAgain(request, admitted) : admitted;
    const elsewhere = {
      ...Object.fromEntries(Object.keys(params).map((name) => [name, "is in the path"])),
      ...Object.fromEntries(headerFields.map((name) => [name, "is a header"])),
    };
    for (const [name, where] of Object.entries(elsewhere)) {
      if (name in sent)
        throw invalidInput([
          {
            pointer: `/${name}`,
            code: "unknown_field",
            message: `${where}; leave it out of the ${sendsBody ? "body" : "query"}`,
          },
        ]);
    }
    // The operation itself refuses unknown parameters of a query.
    if (sendsBody) refuseUnknown(query, []);
    const origin: InputOrigin = { inPath: Object.keys(params), rest: sendsBody ? "body" : "query" };
    const input = {
      ...sent,
      [inputOrigin]: origin,
      ...params,
      ...spec.fromHeaders?.(request.headers),
      ...preconditions(spec, request),
    } as z.input<I>;
    if (spec.download) return downloadReply(exchange, ctx.orgId, (await spec.operation(ctx, input)) as Download);
    const header = request.headers.get("idempotency-key");
    // An Idempotency-Key is ignored for a query: it has no effect to protect, and a repeated response would be stale (a
    // verification must be current, contract section 2).
    if (header === null || spec.operation.operation.kind !== "command")
      return unlessKnown(request, toReply(toAnswer(spec, await spec.operation(ctx, input))));
    // Do the slow preparation before the key's transaction begins. Its error is thrown inside the transaction, so that
    // a repeat gets the stored response even if preparing fails this time.
    const operate = spec.operation.prepared
      ? await spec.operation.prepared(ctx, input).catch(rethrowLater)
      : (within: Ctx) => spec.operation(within, input);
    const run = async (within: Ctx) => toAnswer(spec, await operate(within));
    const answer = await idempotent(
      ctx,
      { key: readKey(header), fingerprint: fingerprint(request, sent) },
      run,
      (error) => ({
        status: error.status,
        body: problemBody(error, ctx.requestId),
        headers: { "content-type": "application/problem+json" },
      }),
    );
    return toReply(answer, answer.replayed);
  } finally {
    await discard?.();
  }
}

const rethrowLater = (error: unknown) => () => Promise.reject(error as Error);

async function readSent(
  { file, rows, bodyLimit = mebibyte, valueLimit = usualValues }: RouteSpec<never, unknown> | RouteSpec,
  request: Request,
): Promise<{ sent: Record<string, unknown>; discard?: () => Promise<void> }> {
  if (!file || comesAsJson(request, file)) {
    const sent = await readJson(request, { bytes: bodyLimit, values: valueLimit }, rows);
    return { sent: file?.fromJson?.(sent) ?? sent };
  }
  const fields: Record<string, unknown> = {};
  const received: Upload = await readFileBody(request, file, fields);
  return { sent: { ...fields, [file.field]: received }, discard: () => received.discard() };
}

function toReply({ status, body, headers }: StoredResponse, replayed = false): Reply {
  return {
    status,
    body: status === 204 ? null : body,
    headers: { ...headers, ...(replayed && { "idempotent-replayed": "true" }) },
  };
}

/** Replaces the answer to a GET by 304 if the client has it already, by the ETag in its If-None-Match. */
function unlessKnown(request: Request, reply: Reply): Reply {
  const { etag } = reply.headers;
  const isKnown =
    etag !== undefined && request.method === "GET" && namesTag(request.headers.get("if-none-match"), etag);
  return isKnown ? { status: 304, body: null, headers: { etag } } : reply;
}

/** The header of each precondition. */
const preconditionHeaders = { ifMatch: "If-Match", ifNoneMatch: "If-None-Match" } as const;

/**
 * Reads the preconditions of a change. Refuses one that the operation does not check, because the client relies on it.
 * @throws DomainError `invalid_request`
 */
function preconditions(spec: Pick<RouteSpec, "operation">, request: Request): Record<string, string> {
  if (spec.operation.operation.kind !== "command") return {};
  const asked: Record<string, string> = {};
  for (const [field, header] of Object.entries(preconditionHeaders)) {
    const value = request.headers.get(header);
    if (value === null) continue;
    if (!takesPrecondition(spec, field as keyof typeof preconditionHeaders)) {
      throw invalidInput([
        {
          pointer: `/${field}`,
          code: "not_supported",
          message: `The header ${header} is not asked here and would be ignored; leave it out`,
        },
      ]);
    }
    asked[field] = value;
  }
  return asked;
}

function toAnswer<O>(spec: RouteSpec<never, O> | RouteSpec<z.ZodType, O>, result: O): StoredResponse {
  const usual = spec.statuses?.[0] ?? (spec.response === null ? 204 : 200);
  const { status, body } = spec.respond?.(result) ?? { status: usual, body: result };
  const location = (status === 202 || status === 201) && spec.location?.(result as O);
  const { tag } = spec.operation.operation;
  const text = status === 204 ? "" : JSON.stringify(body);
  return {
    status,
    body: text,
    headers: {
      "content-type": "application/json",
      ...(location && { location }),
      ...(tag && { etag: answerTag(tag(result as never), text) }),
    },
  };
}

/** Whether the change can be made conditional on If-Match. */
export const takesIfMatch = (spec: Pick<RouteSpec, "operation">): boolean => takesPrecondition(spec, "ifMatch");

/** Whether the change can be made conditional on the header of this precondition. */
export function takesPrecondition(
  { operation }: Pick<RouteSpec, "operation">,
  field: keyof typeof preconditionHeaders,
): boolean {
  const { input } = operation.operation;
  return input instanceof z.ZodObject && field in input.shape;
}
