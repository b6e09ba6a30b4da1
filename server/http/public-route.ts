import { newId } from "@/server/core/ids";
import { clientAddress } from "./client-address";
import { problemResponse } from "./problem";
import { consumeAddress } from "./rate-limit";
import type { RouteContext } from "./route";
import { checkUrl, readParams, readQuery, refuseUnknown } from "./read-url";
import { respond } from "./respond";

export interface PublicRequest {
  request: Request;
  params: Record<string, string>;
  requestId: string;
  now: Date;
  /** The caller's address, as far as TRUST_PROXY lets it be known. */
  address: string;
}

export interface PublicAnswer {
  status: number;
  body: string | null;
  headers: Record<string, string>;
}

interface PublicRouteOptions {
  /** Headers of every answer, refusals too, e.g. openToAllOrigins. */
  headers?: Record<string, string>;
  /** The query parameters that it takes: none unless named. Others are refused. */
  query?: readonly string[] | "any";
}

/** Serves a request that needs no authentication: limited by address, refused as a problem document. */
export function publicRoute(serve: (request: PublicRequest) => Promise<PublicAnswer>, { headers: always = {}, query = [] }: PublicRouteOptions = {}) {
  return async (request: Request, context: RouteContext): Promise<Response> => {
    const requestId = newId("req");
    let headers: Record<string, string> = { ...always, "request-id": requestId };
    try {
      checkUrl(request.url);
      const address = clientAddress(request);
      headers = { ...headers, ...(await consumeAddress(address)) };
      if (query !== "any") refuseUnknown(readQuery(request.url), query);
      const answer = await serve({ request, params: readParams(await context.params), requestId, now: new Date(), address });
      return respond(answer.body, { status: answer.status, headers: { ...headers, ...answer.headers } });
    } catch (error) {
      const response = problemResponse(error, requestId);
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    }
  };
}
