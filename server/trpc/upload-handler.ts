import type { z } from "zod";
import { consoleSession, ctxOf } from "@/server/access/console-session";
import { noteSessionSeen } from "@/server/access/session-seen";
import { addressBlock } from "@/server/core/address-block";
import type { Upload } from "@/server/core/blobs/upload";
import { env } from "@/server/core/env";
import { newPublicId } from "@/server/core/ids";
import { requireFixedScopes, type Operation } from "@/server/core/operation";
import { clientAddress } from "@/server/http/rest/client-address";
import { problemResponse } from "@/server/http/rest/problem";
import { consume } from "@/server/http/rest/rate-limit";
import { cameSlowly } from "@/server/http/rest/read-body";
import { readFileBody, type FileBody } from "@/server/http/rest/read-file";
import { refuseForeign } from "@/server/http/web/own-origin";
import { inOrganisation, type TrpcContext } from "./trpc";

/**
 * Serves an operation that takes a file to the console's pages. tRPC holds a whole body in memory, as base64; this
 * writes the file to disk as it arrives. Refusals are problem documents, as the API's are.
 */
export function uploadHandler<I extends z.ZodType, O>(operation: Operation<I, O>, body: FileBody) {
  return async (request: Request): Promise<Response> => {
    const requestId = newPublicId("req");
    const headers = { "cache-control": "no-store", "request-id": requestId };
    try {
      const answer = await serve(request, requestId, operation, body);
      return Response.json(answer, { status: 202, headers });
    } catch (error) {
      const response = problemResponse(error, requestId);
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    }
  };
}

async function serve<I extends z.ZodType, O>(
  request: Request,
  requestId: string,
  operation: Operation<I, O>,
  body: FileBody,
): Promise<O> {
  const began = new Date();
  refuseForeign(request);
  const address = clientAddress(request);
  const admitted = await contextOf(request, { address, requestId, now: began });
  const { session } = admitted;
  if (session) noteSessionSeen(session.sessionId, address, began);
  await consume("address", `console:${session?.user.id ?? addressBlock(address)}`, env().RATE_LIMIT_ADDRESS, 1);
  // Checked before the body is read, so that nobody without the scope can fill the disk.
  await inOrganisation(admitted, async (ctx) => requireFixedScopes(ctx, operation.operation));
  const file: Upload = await readFileBody(request, body);
  try {
    // The session may have ended while a slow body arrived.
    const context = cameSlowly(began) ? await contextOf(request, { address, requestId, now: new Date() }) : admitted;
    return await inOrganisation(context, (ctx) => operation(ctx, { [body.field]: file } as z.input<I>));
  } finally {
    await file.discard();
  }
}

async function contextOf(
  request: Request,
  { address, requestId, now }: { address: string; requestId: string; now: Date },
): Promise<TrpcContext> {
  const session = await consoleSession(request.headers);
  return {
    visitor: {
      address,
      requestId,
      now,
      userAgent: request.headers.get("user-agent") ?? "",
      sessionId: session?.sessionId ?? null,
    },
    session,
    ctx: session && ctxOf(session, requestId, now),
    signInToken: undefined,
    setCookie: () => undefined,
    shownOrgId: request.headers.get("x-organisation"),
  };
}
