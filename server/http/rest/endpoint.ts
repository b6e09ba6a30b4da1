import { newPublicId } from "@/server/core/ids";
import { checkUrl, readParams } from "./read-url";
import { respond, type Body } from "./respond";

/** One request, and the headers that its response carries in any case. */
export interface Exchange {
  readonly request: Request;
  readonly requestId: string;
  readonly now: Date;
  /** The path parameters, decoded. */
  readonly params: Record<string, string>;
  /** Headers of the response, also of a refusal: request-id, rate limits and those of the dialect. */
  readonly headers: Record<string, string>;
}

/**
 * How one family of endpoints differs from others: who may call it, and how a refusal is written. Everything else
 * (request id, checked address, headers, unexpected errors) is the same for all and is done in endpoint().
 */
export interface Dialect<Caller> {
  /** Headers of every response, including refusals. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Authenticates the caller and counts the request against their limit. An error is passed to `refuse`. */
  admit(exchange: Exchange): Promise<Caller>;
  /** Returns the response for whatever was thrown. */
  refuse(error: unknown, requestId: string): Response;
}

export interface Reply {
  status: number;
  /** A stream is pulled as fast as the client reads. */
  body: Body;
  headers: Record<string, string>;
}

/** The second argument of a route file's handler. Next passes the parameters in a promise. */
export type RouteContext = { params: Promise<Record<string, string | string[]> | undefined> };
export type Endpoint = (request: Request, context?: RouteContext) => Promise<Response>;

/** Serves requests in a dialect. Uses only web standards, so that it runs with and without Next. */
export function endpoint<Caller>(
  dialect: Dialect<Caller>,
  serve: (exchange: Exchange, caller: Caller) => Promise<Reply>,
): Endpoint {
  return async (request, context) => {
    const requestId = newPublicId("req");
    const headers: Record<string, string> = { ...dialect.headers, "request-id": requestId };
    try {
      checkUrl(request.url);
      const exchange = { request, requestId, now: new Date(), params: readParams(await context?.params), headers };
      const reply = await serve(exchange, await dialect.admit(exchange));
      return respond(reply.body, { status: reply.status, headers: { ...headers, ...reply.headers } });
    } catch (error) {
      const response = dialect.refuse(error, requestId);
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    }
  };
}
