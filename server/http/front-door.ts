import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { logRequest } from "./access-log";
import { believeAddress } from "./client-address";
import { cutSlowReaders } from "./slow-readers";
import { isApiPath } from "./dispatch";
import { boundBody, refuse } from "./refuse";
import { consumePage } from "./rate-limit";
import { checkPath } from "./read-url";
import { readTarget } from "./request-target";
import { securityHeaders } from "./respond";
import { refuseUnreadable } from "./unreadable";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

export interface FrontDoor {
  /** Serves the paths of the API; absent where `pages` serves them too. */
  api?: Handler;
  /** Next. */
  pages: Handler;
  /** Next's development server upgrades connections of pages to WebSockets. Nothing else does. */
  upgrades?: boolean;
  limits?: Partial<typeof defaultLimits>;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

const defaultLimits = {
  /** A client that has not taken its answer after this time is cut off. */
  answerMs: 120_000,
  /** For a request to arrive whole, body included. */
  requestMs: 60_000,
  headersMs: 15_000,
  /** How often the three times above are checked. */
  checkMs: 5_000,
};

/** Bytes of body that reach Next at the most. The API bounds its own. */
const pageBodies: [path: RegExp, bytes: number][] = [
  [/^\/api\/trpc\//, 10 * mebibyte],
  [/^\/api\/inngest(?:[?/]|$)/, 4 * mebibyte],
];
const pageBody = 64 * kibibyte;

/** Paths that are not counted here: procedures count for themselves, and Inngest signs its requests. */
const uncounted = /^\/api\/(?:trpc\/|inngest(?:[?/]|$))/;
/** Files of which a page loads some thirty. */
const filesOfPages = /^\/(?:_next\/static\/|[\w-]+\.(?:svg|ico|png|webmanifest|txt)(?:\?|$))/;

/**
 * The HTTP server in front of everything: what holds for every request, whoever serves it. Refuses as a problem document what
 * Node's parser or Next would answer without a word, bounds bodies, times and connections, and counts pages by address.
 */
export function frontDoor({ api, pages, upgrades = false, limits }: FrontDoor): Server {
  const { answerMs, requestMs, headersMs, checkMs } = { ...defaultLimits, ...limits };
  const server = createServer({
    keepAliveTimeout: 65_000,
    requestTimeout: requestMs,
    headersTimeout: Math.min(headersMs, requestMs),
    connectionsCheckingInterval: checkMs,
    // Checked by readTarget, which answers with a problem document.
    requireHostHeader: false,
    // Without an upgrade, a request that asks for one (h2c, websocket) is served as HTTP/1.1 (RFC 9110 section 7.8).
    shouldUpgradeCallback: ({ url }) => upgrades && !isApiPath(url ?? ""),
  });
  server.maxConnections = env().MAX_CONNECTIONS;
  const watch = cutSlowReaders(server, answerMs, checkMs);
  const expecting = new WeakMap<IncomingMessage, "continue" | "more">();
  server.on("request", (request, response) => {
    watch(response);
    believeAddress(request, env().TRUST_PROXY);
    logRequest(request, response);
    // Asked before a client sends its body: one that is refused need not come.
    const begin = () => expecting.get(request) === "continue" && response.writeContinue();
    try {
      if (expecting.get(request) === "more") throw new DomainError("expectation_failed", "The only expectation that is met is 100-continue. Leave out the header Expect.");
      if (readTarget(request, response) === "answered") return;
    } catch (error) {
      return refuse(request, response, error);
    }
    if (isApiPath(request.url!)) {
      begin();
      void (api ?? pages)(request, response);
    } else void servePage(request, response, begin, pages);
  });
  server.on("checkContinue", (request, response) => {
    expecting.set(request, "continue");
    server.emit("request", request, response);
  });
  server.on("checkExpectation", (request, response) => {
    expecting.set(request, "more");
    server.emit("request", request, response);
  });
  server.on("clientError", refuseUnreadable);
  return server;
}

async function servePage(request: IncomingMessage, response: ServerResponse, begin: () => unknown, pages: Handler): Promise<void> {
  const url = request.url!;
  try {
    for (const [name, value] of Object.entries(securityHeaders())) response.setHeader(name, value);
    forbidStoredRefusals(response);
    boundBody(request, response, pageBodies.find(([path]) => path.test(url))?.[1] ?? pageBody);
    checkPath(url);
    if (!uncounted.test(url)) await consumePage(String(request.headers["x-forwarded-for"]), filesOfPages.test(url) ? "file" : "page");
  } catch (error) {
    return refuse(request, response, error);
  }
  begin();
  await pages(request, response).catch((error: unknown) => refuse(request, response, error));
}

/** A cache that kept the 404 of a page would still show it when the page exists. */
function forbidStoredRefusals(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (status >= 400) response.setHeader("cache-control", "no-store");
    return writeHead(status, ...rest);
  };
}
