import { consoleSession, readCookie } from "@/server/access/console-session";
import { signInCookie, signInCookieHeader } from "@/server/access/second-factor/challenge";
import { connectSso } from "@/server/access/sso/connect-sso";
import { finishSso, type SsoResult } from "@/server/access/sso/finish-sso";
import type { Visitor } from "@/server/access/visitor";
import { env } from "@/server/core/env";
import { newPublicId, type Id } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { transaction } from "@/server/core/transaction";
import { signInWithSso } from "@/server/organisations/sign-in-with-sso";
import { clientAddress } from "@/server/http/rest/client-address";
import { consumeAddress } from "@/server/http/rest/rate-limit";

/**
 * Handles the return from the identity provider: redirects to the sign-in page, which completes the sign-in, or to the
 * account's settings.
 */
export async function ssoCallback(request: Request): Promise<Response> {
  const visitor: Visitor = { address: clientAddress(request), requestId: newPublicId("req"), now: new Date() };
  const token = readCookie(request.headers.get("cookie") ?? "", signInCookie().name);
  try {
    await consumeAddress(visitor.address);
    if (!token) return redirect("/sign-in?sso=failed");
    const result = await finishSso(visitor, token, new URL(request.url).search);
    return await (result.userId === null ? signIn(visitor, result) : connect(visitor, request, result, result.userId));
  } catch (error) {
    // Do not tell the causes apart: state or nonce of another browser, a code used twice, a provider that does not
    // answer.
    const { code, name } = error as { code?: string; name?: string };
    log().warn({ requestId: visitor.requestId, code, name }, "single sign-on failed");
    return redirect("/sign-in?sso=failed", null);
  }
}

async function signIn(visitor: Visitor, { identity, next }: SsoResult): Promise<Response> {
  const outcome = await signInWithSso(visitor, identity);
  if ("refusal" in outcome) return redirect(`/sign-in?sso=${outcome.refusal}`, null);
  return redirect(`/sign-in?next=${encodeURIComponent(next)}`, outcome.token);
}

/** Connects the identity to the account; the session must belong to the person who started the connection. */
async function connect(
  visitor: Visitor,
  request: Request,
  { identity }: SsoResult,
  userId: Id<"usr">,
): Promise<Response> {
  const session = await consoleSession(request.headers);
  if (session?.user.id !== userId) return redirect("/sign-in?sso=failed", null);
  const done = await transaction((tx) => connectSso(visitor, tx, session.user, identity));
  return redirect(`/settings/account?sso=${done ? "connected" : "taken"}`, null);
}

/** @param token sets the sign-in cookie; null removes it */
function redirect(path: string, token?: string | null): Response {
  const headers = new Headers({
    location: `${env().PUBLIC_URL}${path}`,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  });
  if (token !== undefined) headers.set("set-cookie", signInCookieHeader(token));
  return new Response(null, { status: 303, headers });
}
