import type { IncomingMessage, ServerResponse } from "node:http";
import { newPublicId } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { pathShape } from "./path-shape";

/** A request that took longer is logged as a warning, unless it failed. */
const slowMs = 2_000;

/**
 * Logs a request when its response has been sent: status 500 and above, except 501, as errors, slow ones as warnings,
 * 400 and above as information, the rest for debugging.
 */
export function logRequest(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  const requestId = requestIdOf(response);
  response.once("finish", () => {
    const status = response.statusCode;
    const ms = Math.round(performance.now() - started);
    // 501 tells a caller of SCIM that there is no /Me (RFC 7644 section 3.11): nothing failed.
    const level = status >= 500 && status !== 501 ? "error" : ms >= slowMs ? "warn" : status >= 400 ? "info" : "debug";
    if (!log().isLevelEnabled(level)) return;
    log()[level](
      { method: request.method, path: pathShape(request.url ?? ""), status, ms, requestId: requestId() },
      "request",
    );
  });
}

/**
 * Returns a function that tells the response's request-id after it was sent; a response without one (a page) gets one.
 * Wraps writeHead, because the API's adapter passes its headers there, where getHeader does not see them.
 */
function requestIdOf(response: ServerResponse): () => string | undefined {
  let id: string | undefined;
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    const handed = args.at(-1) as Record<string, string> | undefined;
    id = handed?.["request-id"] ?? response.getHeader("request-id")?.toString();
    if (!id) response.setHeader("request-id", (id = newPublicId("req")));
    return writeHead(...args);
  };
  return () => id;
}
