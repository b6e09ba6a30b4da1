import type { IncomingMessage, ServerResponse } from "node:http";
import { log } from "@/server/core/log";
import { pathShape } from "./path-shape";

/** Logs a request once it is answered: failures of ours as errors, refusals as information, the rest where debugging is asked for. */
export function logRequest(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  const requestId = requestIdOf(response);
  response.once("finish", () => {
    const status = response.statusCode;
    const level = status >= 500 ? "error" : status >= 400 ? "info" : "debug";
    if (!log().isLevelEnabled(level)) return;
    log()[level]({ method: request.method, path: pathShape(request.url ?? ""), status, ms: Math.round(performance.now() - started), requestId: requestId() }, "request");
  });
}

/** The request-id that the answer goes out with. The API's adapter hands its headers to writeHead, where getHeader does not see them. */
function requestIdOf(response: ServerResponse): () => string | undefined {
  let handed: unknown;
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    handed = args.at(-1);
    return writeHead(...args);
  };
  return () => (handed as Record<string, string> | undefined)?.["request-id"];
}
