import type { IncomingMessage, ServerResponse } from "node:http";
import { DomainError } from "@/server/core/errors";
import { newPublicId } from "@/server/core/ids";
import { isApiPath } from "./api-path";
import { problemAnswer } from "@/server/http/rest/problem";
import { refusalPage, refusalPageHeaders } from "./refusal-page";

/** How long to read and discard what a client still sends, so that it gets to read its refusal. */
const lingerMs = 1_000;

/**
 * Answers a request that never reaches a handler, and closes the connection. A browser that opens a page gets a page,
 * any other client a problem document.
 */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const problem = problemAnswer(error, newPublicId("req"));
  const { status, headers, body } = wantsPage(request) ? asPage(problem) : problem;
  const { socket } = request;
  // Closing a socket with unread bytes resets the connection, and the response may be lost.
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
  response.writeHead(status, { ...headers, connection: "close", "content-length": Buffer.byteLength(body) });
  response.end(request.method === "HEAD" ? undefined : body);
  silence(response);
  request.resume();
}

/** Whether a browser opens a page. False for programs, API paths and what the console fetches. */
function wantsPage({ url, headers }: IncomingMessage): boolean {
  return /\btext\/html\b/.test(headers.accept ?? "") && !isApiPath(url ?? "") && !url?.startsWith("/api/");
}

function asPage({ status, headers, body }: ReturnType<typeof problemAnswer>) {
  return {
    status,
    headers: { ...headers, ...refusalPageHeaders },
    body: refusalPage(JSON.parse(body) as { status: number; title: string; detail: string; requestId: string }),
  };
}

/** Discards what a handler that still runs writes to the response. */
function silence(response: ServerResponse): void {
  const self = () => response;
  Object.assign(response, {
    writeHead: self,
    setHeader: self,
    appendHeader: self,
    removeHeader: () => undefined,
    flushHeaders: () => undefined,
    write: () => true,
    end: self,
  });
}

/**
 * Refuses a body of more than `limit` bytes: at once if its declared length exceeds it, else as soon as the body grows
 * beyond it. The handler never reads more than `limit` bytes, even if it reads the whole body into memory.
 * @throws DomainError `payload_too_large`
 */
export function boundBody(request: IncomingMessage, response: ServerResponse, limit: number): void {
  const tooLarge = () => new DomainError("payload_too_large", `The body may have at most ${limit} bytes here.`);
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge();
  if (request.headers["transfer-encoding"] === undefined) return;
  let size = 0;
  const push = request.push.bind(request);
  // Node's parser passes each chunk to push(). A listener for "data" would take the body away from its handler.
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk === null) return push(chunk, encoding);
    const before = size;
    size += chunk.length;
    if (size <= limit) return push(chunk, encoding);
    if (before <= limit) refuse(request, response, tooLarge());
    return true;
  };
}
