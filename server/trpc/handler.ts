import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { consoleSession, ctxOf, readCookie } from "@/server/access/console-session";
import { signInCookie } from "@/server/access/second-factor/challenge";
import { addressBlock } from "@/server/core/address-block";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { newId } from "@/server/core/ids";
import { clientAddress } from "@/server/http/client-address";
import { consume } from "@/server/http/rate-limit";
import { scanJson } from "@/server/http/json";
import { readBytes } from "@/server/http/read-body";
import { mapped } from "./errors";
import { appRouter } from "./root";
import type { TrpcContext } from "./trpc";

/** As much as the largest operation takes: a bulk of credentials. Without a session, what a form needs. */
const bodyLimit = { person: 10 * 1024 * 1024, visitor: 64 * 1024 };

/** Serves the console's procedures. What is refused before them is answered as they answer, so that the console can tell. */
export async function trpcHandler(request: Request): Promise<Response> {
  const requestId = newId("req");
  const { method, headers } = request;
  const admission = mapped(() => admit(request, requestId));
  const body = await admission.then((admitted) => admitted.body, () => "{}");
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: new Request(request.url, { method, headers, ...(method === "POST" && { body }) }),
    router: appRouter,
    createContext: async ({ resHeaders }) => ({ ...(await admission).context, setCookie: (header) => resHeaders.append("set-cookie", header) }),
    responseMeta: () => ({ headers: { "cache-control": "no-store", "request-id": requestId } }),
  });
}

async function admit(request: Request, requestId: string): Promise<{ context: Omit<TrpcContext, "setCookie">; body: string }> {
  const now = new Date();
  if (request.method !== "GET") refuseForeign(request);
  const address = clientAddress(request);
  const session = await consoleSession(request.headers);
  await consume("address", `console:${session?.user.id ?? addressBlock(address)}`, env().RATE_LIMIT_ADDRESS);
  const bytes = await readBytes(request, session ? bodyLimit.person : bodyLimit.visitor);
  scanJson(bytes);
  // A query's input is JSON in the address.
  scanJson(Buffer.from(new URL(request.url).searchParams.get("input") ?? ""));
  const context = {
    visitor: { address, requestId, now },
    session,
    ctx: session && ctxOf(session, requestId, now),
    signInToken: readCookie(request.headers.get("cookie") ?? "", signInCookie().name),
    shownOrgId: request.headers.get("x-organisation"),
  };
  return { context, body: Buffer.from(bytes).toString() };
}

/**
 * The session cookie alone does not tell who asks; browsers name the origin of every POST. Beside PUBLIC_URL, the host that
 * was asked is the same site: a developer's 127.0.0.1.
 */
function refuseForeign(request: Request): void {
  const origin = request.headers.get("origin");
  const own = [new URL(env().PUBLIC_URL).origin, `http://${request.headers.get("host")}`];
  if (origin === null || !own.includes(origin)) throw new DomainError("cross_origin", "Changes are accepted from this console's own pages alone.");
}
