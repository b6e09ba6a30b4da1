import { env } from "@/server/core/env";
import { newId } from "@/server/core/ids";
import { problemResponse } from "./problem";
import { consume } from "./rate-limit";
import type { RouteContext } from "./route";
import { checkUrl, readParams } from "./read-url";

export interface PublicRequest {
  request: Request;
  params: Record<string, string>;
  requestId: string;
  now: Date;
  /** The caller's address, as far as TRUST_PROXY lets it be known. */
  address: string;
}

/** Serves a request that needs no authentication: limited by address, refused as a problem document. */
export function publicRoute(serve: (request: PublicRequest) => Promise<Response>) {
  return async (request: Request, context: RouteContext): Promise<Response> => {
    const requestId = newId("req");
    let headers: Record<string, string> = { "request-id": requestId };
    let response: Response;
    try {
      checkUrl(request.url);
      const address = clientAddress(request);
      headers = { ...headers, ...(await consume("address", address, env().RATE_LIMIT_ADDRESS)) };
      response = await serve({ request, params: readParams(await context.params), requestId, now: new Date(), address });
    } catch (error) {
      response = problemResponse(error, requestId);
    }
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
}

/** server/serve.ts, or the host, puts the one believed address first. */
export function clientAddress(request: Request): string {
  return request.headers.get("x-forwarded-for")?.split(",")[0]?.trim() || "unknown";
}
