import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { consoleSession, ctxOf, readCookie } from "@/server/access/console-session";
import { noteSessionSeen } from "@/server/access/session-seen";
import { signInCookie } from "@/server/access/second-factor/challenge";
import { addressBlock } from "@/server/core/address-block";
import { env } from "@/server/core/env";
import { newPublicId } from "@/server/core/ids";
import { clientAddress } from "@/server/http/rest/client-address";
import { bulkValues, refuseManyValues } from "@/server/http/rest/bounded-values";
import { consume } from "@/server/http/rest/rate-limit";
import { scanJson } from "@/server/http/rest/json";
import { refuseForeign } from "@/server/http/web/own-origin";
import { cameSlowly, readBytes } from "@/server/http/rest/read-body";
import { mapped } from "./errors";
import { appRouter } from "./root";
import type { TrpcContext } from "./trpc";

/**
 * Maximum number of procedures in one request. A page of the console needs about ten; components/trpc/client.tsx splits
 * larger batches.
 */
const maxBatchSize = 30;

/**
 * Maximum body size in bytes. With a session: the limit of the largest operation, a bulk of credentials. Without:
 * enough for a form.
 */
const bodyLimit = { person: 10 * 1024 * 1024, visitor: 64 * 1024 };

/**
 * Serves the console's procedures. A request that is refused before it reaches a procedure gets the same form of answer
 * as from a procedure, so that the console can read it.
 */
export async function trpcHandler(request: Request): Promise<Response> {
  const requestId = newPublicId("req");
  const { method, headers } = request;
  const admission = mapped(() => admit(request, requestId));
  const body = await admission.then(
    (admitted) => admitted.body,
    () => "{}",
  );
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: new Request(request.url, { method, headers, ...(method === "POST" && { body }) }),
    router: appRouter,
    maxBatchSize,
    // A query whose input is too long for an address comes as a POST (components/trpc/client.tsx).
    allowMethodOverride: true,
    createContext: async ({ resHeaders }) => ({
      ...(await admission).context,
      setCookie: (header) => resHeaders.append("set-cookie", header),
    }),
    responseMeta: () => ({ headers: { "cache-control": "no-store", "request-id": requestId } }),
  });
}

async function admit(
  request: Request,
  requestId: string,
): Promise<{ context: Omit<TrpcContext, "setCookie">; body: string }> {
  const began = new Date();
  if (request.method !== "GET") refuseForeign(request);
  const address = clientAddress(request);
  const admitted = await consoleSession(request.headers);
  if (admitted) noteSessionSeen(admitted.sessionId, address, began);
  await consume(
    "address",
    `console:${admitted?.user.id ?? addressBlock(address)}`,
    env().RATE_LIMIT_ADDRESS,
    proceduresOf(request.url),
  );
  const bytes = await readBytes(request, admitted ? bodyLimit.person : bodyLimit.visitor);
  // The session may have ended while a slow body arrived.
  const [session, now] = cameSlowly(began) ? [await consoleSession(request.headers), new Date()] : [admitted, began];
  refuseManyValues(bytes, bulkValues);
  scanJson(bytes);
  // The input of a query is JSON in the URL.
  scanJson(Buffer.from(new URL(request.url).searchParams.get("input") ?? ""));
  const context = {
    visitor: {
      address,
      requestId,
      now,
      userAgent: request.headers.get("user-agent") ?? "",
      sessionId: session?.sessionId ?? null,
    },
    session,
    ctx: session && ctxOf(session, requestId, now),
    signInToken: readCookie(request.headers.get("cookie") ?? "", signInCookie().name),
    shownOrgId: request.headers.get("x-organisation"),
  };
  return { context, body: Buffer.from(bytes).toString() };
}

/** Counts the procedures in a request. Each causes work of its own, so each counts as a request. */
function proceduresOf(url: string): number {
  const { pathname, searchParams } = new URL(url);
  return searchParams.get("batch") === "1" ? pathname.split(/,|%2c/i).length : 1;
}
