import { z } from "zod";
import { authenticate, type Principal } from "@/server/access/authenticate";
import { noteRefusedScope } from "@/server/access/note-refusal";
import type { Ctx } from "@/server/core/context";
import { env } from "@/server/core/env";
import { headerFields } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { newId } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { requireScope, type Operation } from "@/server/core/operation";
import { countSecurityEvent } from "@/server/core/security-counts";
import { actingFor } from "@/server/core/organisation-share";
import { clientAddress } from "./client-address";
import { fingerprint, idempotent, readKey, type Answer } from "./idempotency";
import { problemBody, problemResponse } from "./problem";
import { consume, consumeAddress } from "./rate-limit";
import { readJson } from "./read-body";
import { checkUrl, readParams, readQuery, refuseUnknown } from "./read-url";
import { respond } from "./respond";

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
  /** For a result that is answered with 201 or 202: the path of what was created, or at which to see what becomes of it. */
  location?(result: O): string;
  /** Bytes of body that are read at the most. */
  bodyLimit?: number;
  /** The field of the body that holds the rows of a bulk request: each is refused by itself. */
  rows?: "items";
  /** Input that is neither body, query nor path, e.g. from a Prefer header. */
  fromHeaders?(headers: Headers): Record<string, unknown>;
  /** An example of the body or query, and of the answer. */
  example?: { request?: unknown; response?: unknown };
}

export type RouteContext = { params: Promise<Record<string, string | string[]> | undefined> };
export type RouteHandler = ((request: Request, context: RouteContext) => Promise<Response>) & { spec: RouteSpec };

const mebibyte = 1024 * 1024;

/**
 * Serves an operation over REST: authenticates, limits, reads the input, runs the operation (once only, with an
 * Idempotency-Key), and writes the answer. Plain web standards, so that it runs under Next and without it.
 */
export function route<I extends z.ZodType, O>(spec: RouteSpec<I, O>): RouteHandler {
  const handler = async (request: Request, context: RouteContext): Promise<Response> => {
    const requestId = newId("req");
    const now = new Date();
    let headers: Record<string, string> = { "request-id": requestId };
    try {
      checkUrl(request.url);
      const principal = await authenticate(request.headers.get("authorization"), now).catch(async (error: unknown) => {
        // Only who fails is counted by address: whose token is valid does not pay for others behind the same one.
        if (error instanceof DomainError && error.code === "invalid_token") countSecurityEvent("token_refused");
        if (error instanceof DomainError) headers = { ...headers, ...(await consumeAddress(clientAddress(request))) };
        throw error;
      });
      headers = { ...headers, ...(await consume("token", principal.actor.id, principal.requestsPerMinute ?? env().RATE_LIMIT_TOKEN)) };
      const ctx = contextOf(principal, requestId, now);
      const answer = await actingFor(principal.orgId, () => serve(spec, request, context, ctx)).catch((error: unknown) => {
        noteRefusedScope(error, ctx, clientAddress(request));
        throw error;
      });
      return respond(answer.status === 204 ? null : answer.body, {
        status: answer.status,
        headers: { ...headers, ...answer.headers, ...(answer.replayed && { "idempotent-replayed": "true" }) },
      });
    } catch (error) {
      const response = problemResponse(error, requestId);
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    }
  };
  return Object.assign(handler, { spec: spec as unknown as RouteSpec });
}

function contextOf(principal: Principal, requestId: string, now: Date): Ctx {
  return { orgId: principal.orgId, actor: principal.actor, scopes: principal.scopes, requestId, now };
}

async function serve<I extends z.ZodType, O>(spec: RouteSpec<I, O>, request: Request, context: RouteContext, ctx: Ctx): Promise<Answer & { replayed?: boolean }> {
  const { scope } = spec.operation.operation;
  // Before the body is read: who may not do it learns nothing of what is wrong with the input.
  if (typeof scope !== "function") requireScope(ctx, scope);
  const params = readParams(await context.params);
  const sendsBody = request.method !== "GET" && request.method !== "HEAD" && request.method !== "DELETE";
  const query = readQuery(request.url);
  const sent = sendsBody ? await readJson(request, spec.bodyLimit ?? mebibyte, spec.rows) : query;
  const elsewhere = { ...Object.fromEntries(Object.keys(params).map((name) => [name, "is in the path"])), ...Object.fromEntries(headerFields.map((name) => [name, "is a header"])) };
  for (const [name, where] of Object.entries(elsewhere)) {
    if (name in sent) throw invalidInput([{ pointer: `/${name}`, code: "unknown_field", message: `${where}; leave it out of the ${sendsBody ? "body" : "query"}` }]);
  }
  // Those of a query are known to its operation, which refuses others.
  if (sendsBody) refuseUnknown(query, []);
  const input = { ...sent, ...params, ...spec.fromHeaders?.(request.headers), ...preconditions(spec, request) } as z.input<I>;
  const run = async (within: Ctx) => toAnswer(spec, await spec.operation(within, input));
  const header = request.headers.get("idempotency-key");
  // A query has no effect to protect, and a repeated answer would be stale: a verification must be of now (contract section 2).
  if (header === null || spec.operation.operation.kind !== "command") return run(ctx);
  return idempotent(ctx, { key: readKey(header), fingerprint: fingerprint(request, sent) }, run, (error) => ({
    status: error.status,
    body: problemBody(error, ctx.requestId),
    headers: { "content-type": "application/problem+json" },
  }));
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
      throw invalidInput([{ pointer: `/${field}`, code: "not_supported", message: `is not asked here, so the header ${header} would be ignored; leave it out` }]);
    }
    asked[field] = value;
  }
  return asked;
}

function toAnswer<O>(spec: RouteSpec<never, O> | RouteSpec<z.ZodType, O>, result: O): Answer {
  const usual = spec.statuses?.[0] ?? (spec.response === null ? 204 : 200);
  const { status, body } = spec.respond?.(result) ?? { status: usual, body: result };
  const location = (status === 202 || status === 201) && spec.location?.(result as O);
  const { tag } = spec.operation.operation;
  return {
    status,
    body: status === 204 ? "" : JSON.stringify(body),
    headers: { "content-type": "application/json", ...(location && { location }), ...(tag && { etag: tag(result as never) }) },
  };
}

/** Whether a change can be made on the condition that nothing has changed since it was read. */
export const takesIfMatch = (spec: Pick<RouteSpec, "operation">): boolean => takesPrecondition(spec, "ifMatch");

/** Whether a change can be made on a condition that a header names. */
export function takesPrecondition({ operation }: Pick<RouteSpec, "operation">, field: keyof typeof preconditionHeaders): boolean {
  const { input } = operation.operation;
  return input instanceof z.ZodObject && field in input.shape;
}
