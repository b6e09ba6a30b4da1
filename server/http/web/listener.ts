import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { DomainError } from "@/server/core/errors";
import { newPublicId } from "@/server/core/ids";
import { createDispatcher } from "./dispatch";
import { problemResponse } from "@/server/http/rest/problem";
import { respondWith } from "@/server/http/rest/respond";

/**
 * Creates the API's listener on node:http. The adapter writes Responses of its own class in one piece, without the
 * platform's streams (which cost 15 µs and a second write to the socket each), but provides that class only by
 * replacing the global one. Next and other libraries in this process need the platform's class, so the global is
 * restored at once.
 */
export function apiListener(): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { Request, Response } = Object.getOwnPropertyDescriptors(globalThis);
  const listener = getRequestListener(createDispatcher(), { errorHandler: refuse });
  respondWith(globalThis.Response);
  Object.defineProperties(globalThis, { Request, Response });
  return listener;
}

/** Answers a request that Node's parser or the adapter could not read. */
function refuse(error: unknown): Response {
  const detail = error instanceof Error ? error.message : "The request could not be read.";
  return problemResponse(new DomainError("malformed_request", detail), newPublicId("req"));
}
