import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { logRequest } from "./access-log";
import { believeAddress } from "@/server/http/rest/client-address";
import { cutSlowReaders } from "./slow-readers";
import { cutSlowSenders } from "./slow-senders";
import { isCredentialPage, isPublicPage, toCanonicalForm } from "./public-paths";
import { isApiPath } from "./api-path";
import { takesFile } from "./dispatch";
import { affordableConnections, limitOfOpenFiles } from "./open-files";
import { boundPerAddress } from "./per-address";
import { looksLikeFile } from "./page-files";
import type { PagePolicy } from "./page-policy";
import { boundBody, refuse } from "./refuse";
import { consumePage, type PageKind } from "@/server/http/rest/rate-limit";
import { checkPagePath, noSuchPage } from "@/server/http/rest/read-url";
import { readTarget } from "./request-target";
import { securityHeaders } from "@/server/http/rest/respond";
import { refuseConnect, refuseUnreadable } from "./unreadable";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

export interface FrontDoor {
  /** Serves the paths of the API and the public pages; if absent, `pages` serves them too. */
  api?: Handler;
  /** Next. */
  pages: Handler;
  /**
   * Paths of all files that `pages` serves. Without it, as in development, a path's form decides whether it is a file.
   */
  files?: ReadonlySet<string>;
  /** Returns the content security policy of each page; without it, as in development, Next sets one. */
  policy?: PagePolicy;
  /** Whether to upgrade connections of pages to WebSockets; only Next's development server does. */
  upgrades?: boolean;
  limits?: Partial<typeof defaultLimits & { perAddress: number }>;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

const defaultLimits = {
  /** Time for a client to take its response; for a streamed response, see slow-readers.ts. */
  answerMs: 120_000,
  /** Time for a whole request to arrive, body included; for an uploaded file, see slow-senders.ts. */
  requestMs: 60_000,
  headersMs: 15_000,
  /** How often the three times above are checked. */
  checkMs: 5_000,
};

/** Where pages of the console send large files. */
const consoleUpload = /^\/api\/photo-imports(?:\?|$)/;

/** Most bytes of a body that reach Next. The API limits its own bodies. */
const pageBodies: [path: RegExp, bytes: number][] = [
  [consoleUpload, 512 * mebibyte + 64 * kibibyte],
  [/^\/api\/trpc\//, 10 * mebibyte],
  [/^\/api\/inngest(?:[?/]|$)/, 4 * mebibyte],
];
const pageBody = 64 * kibibyte;

/** Paths that are not rate-limited here: what pages of the console call limits itself, and Inngest signs its requests. */
const uncounted = /^\/api\/(?:trpc\/|photo-imports(?:\?|$)|inngest(?:[?/]|$))/;
/** Files that are compressed for each request, so they count as pages. */
const largeFiles = new Set(["/openapi.json"]);
/**
 * The pages of docs/ are the same for everybody until the next release, so shared caches may keep them. Other pages may
 * show, or have in their address, what only one person may see.
 */
const cacheable = /^\/docs(?:[/?]|$)/;

/**
 * Creates the HTTP server that every request passes through. It answers with a problem document or a page where Node's
 * parser or Next would answer without an explanation, limits bodies, times and connections, and rate-limits pages by
 * address.
 */
export function frontDoor({ api, pages, files, policy, upgrades = false, limits }: FrontDoor): Server {
  const { answerMs, requestMs, headersMs, checkMs } = { ...defaultLimits, ...limits };
  const server = createServer({
    keepAliveTimeout: 65_000,
    // slow-senders.ts checks this instead, because it allows more time for files.
    requestTimeout: 0,
    headersTimeout: Math.min(headersMs, requestMs),
    connectionsCheckingInterval: checkMs,
    // readTarget checks this instead, because it answers with a problem document.
    requireHostHeader: false,
    // A request to upgrade (h2c, websocket) that is not upgraded is served as HTTP/1.1 (RFC 9110 section 7.8).
    shouldUpgradeCallback: ({ url }) => upgrades && !isApiPath(url ?? ""),
  });
  server.maxConnections = affordableConnections(env().MAX_CONNECTIONS);
  if (server.maxConnections < env().MAX_CONNECTIONS)
    log().warn(
      { wanted: env().MAX_CONNECTIONS, connections: server.maxConnections, openFiles: limitOfOpenFiles() },
      "MAX_CONNECTIONS is more than the limit of open files allows: lowered; raise ulimit -n (LimitNOFILE= of systemd)",
    );
  const admit = boundPerAddress(server, {
    perAddress: limits?.perAddress ?? env().MAX_CONNECTIONS_PER_ADDRESS,
    trustedHops: env().TRUST_PROXY,
  });
  const watchAnswer = cutSlowReaders(server, { withinMs: answerMs, checkMs });
  const watchArrival = cutSlowSenders(server, {
    withinMs: requestMs,
    checkMs,
    isUpload: ({ method, url }) => takesFile(method!, url!) || consoleUpload.test(url!),
  });
  const expecting = new WeakMap<IncomingMessage, "continue" | "more">();
  server.on("request", (request, response) => {
    watchAnswer(response);
    watchArrival(request);
    believeAddress(request, env().TRUST_PROXY);
    logRequest(request, response);
    // Called only after all checks, so that a client that asks before sending its body need not send one that is
    // refused.
    const begin = () => expecting.get(request) === "continue" && response.writeContinue();
    try {
      if (expecting.get(request) === "more")
        throw new DomainError(
          "expectation_failed",
          "The only expectation that is met is 100-continue. Leave out the header Expect.",
        );
      admit(request, response);
      if (readTarget(request, response) === "answered") return;
    } catch (error) {
      return refuse(request, response, error);
    }
    if (isApiPath(request.url!)) {
      begin();
      void (api ?? pages)(request, response);
    } else void servePage(request, response, begin, { api, pages, files, policy });
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
  server.on("connect", (_, socket) => refuseConnect(socket));
  return server;
}

async function servePage(
  request: IncomingMessage,
  response: ServerResponse,
  begin: () => unknown,
  { api, pages, files, policy }: Pick<FrontDoor, "api" | "pages" | "files" | "policy">,
): Promise<void> {
  const url = request.url!;
  try {
    for (const [name, value] of Object.entries(securityHeaders())) response.setHeader(name, value);
    keepFromCaches(request, response);
    boundBody(request, response, pageBodies.find(([path]) => path.test(url))?.[1] ?? pageBody);
    const kind = kindOf(request, files);
    if (!uncounted.test(url)) await consumePage(String(request.headers["x-forwarded-for"]), kind);
    if (isCredentialPage(url)) request.url = toCanonicalForm(url);
    else {
      checkPagePath(url);
      if (files && kind !== "file" && looksLikeFile(pathOf(url)) && !largeFiles.has(pathOf(url))) throw noSuchPage();
    }
  } catch (error) {
    return refuse(request, response, error);
  }
  if (api && isPublicPage(request.url!)) {
    begin();
    return void (await api(request, response));
  }
  if (policy) setPolicy(request, response, policy);
  begin();
  await pages(request, response).catch((error: unknown) => refuse(request, response, error));
}

/** Sets the policy of a page on the response, and on the request, where Next finds the nonce for its scripts. */
function setPolicy(request: IncomingMessage, response: ServerResponse, policy: PagePolicy): void {
  const value = policy(request.url!, randomBytes(16).toString("base64"));
  delete request.headers["content-security-policy-report-only"];
  request.headers["content-security-policy"] = value;
  response.setHeader("content-security-policy", value);
}

const pathOf = (url: string) => url.split("?", 1)[0]!;

function kindOf({ url = "", headers }: IncomingMessage, files: ReadonlySet<string> | undefined): PageKind {
  const path = pathOf(url);
  if (!largeFiles.has(path) && (files ? files.has(path) : looksLikeFile(path))) return "file";
  // Next leaves dynamic parts out only with the header rsc. A public page is served whole to each request, so it is
  // never a cheap prefetch.
  const isPrefetch =
    headers["rsc"] === "1" &&
    (headers["next-router-prefetch"] !== undefined || headers["next-router-segment-prefetch"] !== undefined);
  return isPrefetch && !isCredentialPage(url) && !isPublicPage(url) ? "prefetch" : "page";
}

/**
 * Keeps refusals and most pages out of caches. A cached 404 would be shown after the page exists. Next lets shared
 * caches keep static pages for a year, even under an address with a token in it; only pages of the documentation may be
 * kept.
 */
function keepFromCaches({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const isShared = String(response.getHeader("cache-control") ?? "").includes("s-maxage");
    if (status >= 400 || (isShared && !cacheable.test(url))) response.setHeader("cache-control", "no-store");
    return writeHead(status, ...rest);
  };
}
