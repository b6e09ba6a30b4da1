import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { logRequest } from "./access-log";
import { believeAddress } from "@/server/http/rest/client-address";
import { cutSlowReaders } from "./slow-readers";
import { cutSlowSenders } from "./slow-senders";
import { findCredentialPage, isCredentialPage } from "./credential-page";
import { isApiPath, takesFile } from "./dispatch";
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
  /** Serves the paths of the API; absent where `pages` serves them too. */
  api?: Handler;
  /** Next. */
  pages: Handler;
  /** Paths of all files that `pages` serves; without it, as in development, a path is taken for a file by its form. */
  files?: ReadonlySet<string>;
  /** The content security policy of each page; without it, as in development, Next says one. */
  policy?: PagePolicy;
  /** Next's development server upgrades connections of pages to WebSockets. Nothing else does. */
  upgrades?: boolean;
  limits?: Partial<typeof defaultLimits & { perAddress: number }>;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

const defaultLimits = {
  /** A client that has not taken its answer after this time is cut off; of a stream, see slow-readers.ts. */
  answerMs: 120_000,
  /** For a request to arrive whole, body included; of a file, see slow-senders.ts. */
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
/** Compressed anew for each request, so that it counts as a page although it is a file. */
const largeFiles = new Set(["/openapi.json"]);
/**
 * The pages of docs/ are the same for everybody until the next release. What the others show or hold in their address
 * is nobody else's.
 */
const cacheable = /^\/docs(?:[/?]|$)/;

/**
 * The HTTP server in front of everything: what holds for every request, whoever serves it. Refuses as a problem
 * document what Node's parser or Next would answer without a word, bounds bodies, times and connections, and counts
 * pages by address.
 */
export function frontDoor({ api, pages, files, policy, upgrades = false, limits }: FrontDoor): Server {
  const { answerMs, requestMs, headersMs, checkMs } = { ...defaultLimits, ...limits };
  const server = createServer({
    keepAliveTimeout: 65_000,
    // Checked by slow-senders.ts, which gives files their time.
    requestTimeout: 0,
    headersTimeout: Math.min(headersMs, requestMs),
    connectionsCheckingInterval: checkMs,
    // Checked by readTarget, which answers with a problem document.
    requireHostHeader: false,
    // Without an upgrade, a request that asks for one (h2c, websocket) is served as HTTP/1.1 (RFC 9110 section 7.8).
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
    isUpload: ({ method, url }) => takesFile(method!, url!),
  });
  const expecting = new WeakMap<IncomingMessage, "continue" | "more">();
  server.on("request", (request, response) => {
    watchAnswer(response);
    watchArrival(request);
    believeAddress(request, env().TRUST_PROXY);
    logRequest(request, response);
    // Asked before a client sends its body: one that is refused need not come.
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
    } else void servePage(request, response, begin, { pages, files, policy });
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
  { pages, files, policy }: Pick<FrontDoor, "pages" | "files" | "policy">,
): Promise<void> {
  const url = request.url!;
  try {
    for (const [name, value] of Object.entries(securityHeaders())) response.setHeader(name, value);
    keepFromCaches(request, response);
    boundBody(request, response, pageBodies.find(([path]) => path.test(url))?.[1] ?? pageBody);
    const kind = kindOf(request, files);
    if (!uncounted.test(url)) await consumePage(String(request.headers["x-forwarded-for"]), kind);
    if (isCredentialPage(url)) {
      const answer = await findCredentialPage(url);
      if (answer.kind === "redirect")
        return void response.writeHead(308, { location: answer.location, "cache-control": "no-store" }).end();
      request.url = answer.url;
      if (answer.status) forceStatus(request, response, answer.status);
    } else {
      checkPagePath(url);
      if (files && kind !== "file" && looksLikeFile(pathOf(url)) && !largeFiles.has(pathOf(url))) throw noSuchPage();
    }
  } catch (error) {
    return refuse(request, response, error);
  }
  if (policy) setPolicy(request, response, policy);
  begin();
  await pages(request, response).catch((error: unknown) => refuse(request, response, error));
}

/**
 * Sets the policy of a page on the answer, and on the request, where Next finds the nonce for the scripts that it
 * writes.
 */
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
  // Only with the header rsc does Next leave out what is dynamic. The page of a credential is looked up for each
  // request.
  const isPrefetch =
    headers["rsc"] === "1" &&
    (headers["next-router-prefetch"] !== undefined || headers["next-router-segment-prefetch"] !== undefined);
  return isPrefetch && !isCredentialPage(url) ? "prefetch" : "page";
}

/**
 * Answers with this status whatever Next says: it calls a page that it found a 200, and one that a browser has a 304.
 */
function forceStatus(request: IncomingMessage, response: ServerResponse, status: number): void {
  delete request.headers["if-none-match"];
  response.statusCode = status;
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  response.writeHead = (_: number, ...rest: unknown[]) => writeHead(status, ...rest);
}

/**
 * No cache keeps a refusal: it would still show the 404 of a page when the page exists. Next lets shared caches keep
 * static pages for a year, also under an address with a token in it; only those of the documentation may be kept.
 */
function keepFromCaches({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const isShared = String(response.getHeader("cache-control") ?? "").includes("s-maxage");
    if (status >= 400 || (isShared && !cacheable.test(url))) response.setHeader("cache-control", "no-store");
    return writeHead(status, ...rest);
  };
}
