import { z } from "zod";
import { noteRefusedScope } from "@/server/access/note-refusal";
import type { Upload } from "@/server/core/blobs/upload";
import type { Ctx } from "@/server/core/context";
import type { Download } from "@/server/core/download";
import { headerFields } from "@/server/core/header-fields";
import { inputOrigin, invalidInput, type InputOrigin } from "@/server/core/input";
import { requireScope, type Operation } from "@/server/core/operation";
import { actingFor } from "@/server/core/organisation-share";
import { admitAgain, admitBearer } from "./bearer";
import { clientAddress } from "./client-address";
import { downloadReply } from "./download-reply";
import { endpoint, type Endpoint, type Exchange, type Reply } from "./endpoint";
import { fingerprint, idempotent, readKey, type StoredResponse } from "./idempotency";
import { problemBody, problemResponse } from "./problem";
import { cameSlowly, isJson, readJson } from "./read-body";
import { readFileBody, type FileBody } from "./read-file";
import { readQuery, refuseUnknown } from "./read-url";

/** How one method of one path of the API is served, and what the OpenAPI document says of it. */
export interface RouteSpec<I extends z.ZodType = z.ZodType, O = unknown> {
  operation: Operation<I, O>;
  summary: string;
  description?: string;
  /** The shape of the answer's body; null for 204. */
  response: z.ZodType | null;
  /** Statuses that the answer can have where it succeeds; the first is the usual one. */
  statuses?: [number, ...number[]];
  /** Where the status or the body depend on the result. */
  respond?(result: O): { status: number; body: unknown };
  /**
   * For a result that is answered with 201 or 202: the path of what was created, or at which to see what becomes of it.
   */
  location?(result: O): string;
  /** Bytes of a JSON body that are read at the most. */
  bodyLimit?: number;
  /** The field of the body that holds the rows of a bulk request: each is refused by itself. */
  rows?: "items";
  /** For a body that is a file, or a form with one, in place of JSON (or beside it). */
  file?: FileBody;
  /**
   * For an answer that is a file: the operation gives a Download, and these are its media types. `response` is then
   * null.
   */
  download?: { types: readonly [string, ...string[]]; description: string };
  /** Input that is neither body, query nor path, e.g. from a Prefer header. */
  fromHeaders?(headers: Headers): Record<string, unknown>;
  /** An example of the body or query, and of the answer. */
  example?: { request?: unknown; response?: unknown };
}

export type RouteHandler = Endpoint & { spec: RouteSpec };

/** `download` of a route that answers with a CSV file. */
export const csv = { types: ["text/csv"], description: "The file." } as const;

const mebibyte = 1024 * 1024;
const bearer = { admit: admitBearer, refuse: problemResponse };

/**
 * Serves an operation over REST: authenticates, limits, reads the input, runs the operation (once only, with an
 * Idempotency-Key), and writes the answer.
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
  const { scope } = spec.operation.operation;
  // Before the body is read: who may not do it learns nothing of what is wrong with the input.
  if (typeof scope !== "function") requireScope(admitted, scope);
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
    // Those of a query are known to its operation, which refuses others.
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
    // A query has no effect to protect, and a repeated answer would be stale: a verification must be of now (contract
    // section 2).
    if (header === null || spec.operation.operation.kind !== "command")
      return toReply(toAnswer(spec, await spec.operation(ctx, input)));
    // What takes long is done before the transaction of the key begins. A repeat gets the stored answer, whatever comes
    // of it.
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
  { file, rows, bodyLimit }: RouteSpec<never, unknown> | RouteSpec,
  request: Request,
): Promise<{ sent: Record<string, unknown>; discard?: () => Promise<void> }> {
  const comesAsFile = file && !(file.besideJson && isJson(request.headers.get("content-type") ?? ""));
  if (!comesAsFile) return { sent: await readJson(request, bodyLimit ?? mebibyte, rows) };
  const received: Upload = await readFileBody(request, file);
  return { sent: { [file.field]: received }, discard: () => received.discard() };
}

function toReply({ status, body, headers }: StoredResponse, replayed = false): Reply {
  return {
    status,
    body: status === 204 ? null : body,
    headers: { ...headers, ...(replayed && { "idempotent-replayed": "true" }) },
  };
}

/** Which header each precondition is read from. */
const preconditionHeaders = { ifMatch: "If-Match", ifNoneMatch: "If-None-Match" } as const;

/**
 * The preconditions of a change. One that the operation does not ask is refused, since the client relies on it.
 * @throws DomainError invalid_request
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
  return {
    status,
    body: status === 204 ? "" : JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      ...(location && { location }),
      ...(tag && { etag: tag(result as never) }),
    },
  };
}

/** Whether a change can be made on the condition that nothing has changed since it was read. */
export const takesIfMatch = (spec: Pick<RouteSpec, "operation">): boolean => takesPrecondition(spec, "ifMatch");

/** Whether a change can be made on a condition that a header names. */
export function takesPrecondition(
  { operation }: Pick<RouteSpec, "operation">,
  field: keyof typeof preconditionHeaders,
): boolean {
  const { input } = operation.operation;
  return input instanceof z.ZodObject && field in input.shape;
}
