import { authenticate } from "@/server/access/authenticate";
import type { Ctx } from "@/server/core/context";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { countSecurityEvent } from "@/server/core/security-counts";
import { clientAddress } from "./client-address";
import type { Exchange } from "./endpoint";
import { consume, consumeAddress } from "./rate-limit";

/**
 * Authenticates again after a body that arrived slowly; the request's time becomes now.
 * @throws DomainError `invalid_token`, `organisation_suspended`
 */
export async function admitAgain(request: Request, ctx: Ctx): Promise<Ctx> {
  const now = new Date();
  const { scopes } = await authenticate(request.headers.get("authorization"), now);
  return { ...ctx, scopes, now };
}

/** Authenticates a bearer token and counts the request against the token's rate limit. */
export async function admitBearer({ request, requestId, now, headers }: Exchange): Promise<Ctx> {
  const principal = await authenticate(request.headers.get("authorization"), now).catch(async (error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "invalid_token") countSecurityEvent("token_refused");
    // Only failures count against the address, so that a valid token is not limited by others behind the same address.
    Object.assign(headers, await consumeAddress(clientAddress(request)));
    throw error;
  });
  Object.assign(
    headers,
    await consume("token", principal.actor.id, principal.requestsPerMinute ?? env().RATE_LIMIT_TOKEN),
  );
  const { orgId, actor, scopes, accessToken, connectorId } = principal;
  return { orgId, actor, scopes, accessToken, connectorId, requestId, now };
}
