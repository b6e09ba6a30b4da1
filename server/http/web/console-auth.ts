import type { NextAuthOptions } from "next-auth";
import { endSession } from "@/server/access/end-session";
import {
  decodeSession,
  liveSession,
  readCookie,
  sessionClaimsOf,
  sessionCookie,
  sessionSeconds,
  sessionSecret,
  type SessionClaims,
} from "@/server/access/console-session";
import { signInCookie, signInCookieHeader } from "@/server/access/second-factor/challenge";
import { completeSignIn } from "@/server/access/second-factor/complete-sign-in";
import type { Assertion } from "@/server/access/second-factor/passkey-answer";
import { SecondFactorNeeded, signIn } from "@/server/access/sign-in";
import type { SignedIn } from "@/server/access/start-session";
import { switchOrganisation } from "@/server/access/switch-organisation";
import type { Visitor } from "@/server/access/visitor";
import { env } from "@/server/core/env";
import { DomainError, type ErrorCode } from "@/server/core/errors";
import { newPublicId, uuidOf } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { clientAddress } from "@/server/http/rest/client-address";

/**
 * Builds the next-auth options for one request. The session token holds SessionClaims and nothing else.
 * `signIn("credentials", …)` takes `{ email, password }`, or the answer to the second step: `{ code }`, `{ recoveryCode
 * }`, `{ passkey }` (JSON) or nothing. It ends with the error CredentialsSignin, second_factor_required,
 * invalid_second_factor, sign_in_expired, rate_limited or internal_error. `update({ orgId })` changes the organisation.
 * @param setCookie adds a Set-Cookie header to the response
 */
export function authOptions(request: Request, setCookie: (header: string) => void): NextAuthOptions {
  const visitor: Visitor = {
    address: clientAddress(request),
    requestId: newPublicId("req"),
    now: new Date(),
    userAgent: request.headers.get("user-agent") ?? "",
  };
  return {
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: sessionSeconds },
    jwt: { maxAge: sessionSeconds, decode: async ({ token }) => (token ? decodeSession(token) : null) },
    useSecureCookies: env().PUBLIC_URL.startsWith("https://"),
    // next-auth adds the __Host- prefix to its csrf-token cookie itself.
    cookies: { sessionToken: sessionCookie(), callbackUrl: callbackCookie() },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    providers: [
      {
        id: "credentials",
        name: "E-mail and password",
        type: "credentials",
        credentials: { email: {}, password: {}, code: {}, recoveryCode: {}, passkey: {} },
        authorize: (sent) =>
          authorize(
            visitor,
            readCookie(request.headers.get("cookie") ?? "", signInCookie().name),
            sent ?? {},
            setCookie,
            request.headers,
          ),
      },
    ],
    callbacks: {
      async jwt({ token, user, trigger, session }) {
        if (user) return claimsOf(user as unknown as Authorised);
        return claimsOf(
          await goOn(visitor, token as unknown as SessionClaims, trigger === "update" ? session?.orgId : undefined),
        );
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: { signOut: ({ token }) => signOut(visitor, token as unknown as SessionClaims) },
    // next-auth's own logger would log what it was sent, and reports an ended session as an error.
    logger: {
      error: (code) => log().debug({ code }, "sign-in"),
      warn: (code) => log().debug({ code }, "sign-in"),
      debug: () => undefined,
    },
  };
}

function callbackCookie() {
  const { name, options } = sessionCookie();
  return { name: name.replace(/session$/, "callback-url"), options };
}

type Authorised = SessionClaims & { id: string };

type Sent = Record<string, string>;

async function authorize(
  unknown: Visitor,
  token: string | undefined,
  sent: Sent,
  setCookie: (header: string) => void,
  headers: Headers,
): Promise<Authorised | null> {
  const visitor: Visitor = { ...unknown, sessionId: (await sessionClaimsOf(headers))?.sessionId ?? null };
  try {
    const claims = await (sent["email"] === undefined
      ? secondStep(visitor, token, sent)
      : signIn(visitor, { email: sent["email"], password: sent["password"] ?? "" }));
    if (token) setCookie(signInCookieHeader(null));
    return { id: uuidOf(claims.userId), ...claims };
  } catch (error) {
    if (error instanceof SecondFactorNeeded) setCookie(signInCookieHeader(error.token));
    else if (error instanceof DomainError && !told.has(error.code)) return null;
    if (!(error instanceof DomainError)) log().error({ requestId: visitor.requestId, err: error }, "sign-in failed");
    // next-auth sends the message to the client.
    throw new Error(error instanceof DomainError ? error.code : "internal_error", { cause: error });
  }
}

/** The errors that the sign-in page shows; any other error looks like a wrong password. */
const told: ReadonlySet<ErrorCode> = new Set(["rate_limited", "invalid_second_factor", "sign_in_expired"]);

function secondStep(
  visitor: Visitor,
  token: string | undefined,
  { code, recoveryCode, passkey }: Sent,
): Promise<SignedIn> {
  if (!token) throw new DomainError("sign_in_expired", "This browser has no sign-in under way.");
  if (passkey !== undefined) return completeSignIn(visitor, token, { passkey: readJson(passkey) });
  if (recoveryCode !== undefined) return completeSignIn(visitor, token, { recoveryCode });
  return completeSignIn(visitor, token, code === undefined ? {} : { code });
}

function readJson(text: string): Assertion {
  try {
    return JSON.parse(text.slice(0, 20_000));
  } catch {
    throw new DomainError("invalid_second_factor", "This passkey's answer cannot be read.");
  }
}

/**
 * Returns the claims with which a session continues, in another organisation if `orgId` names one of the person's.
 * @throws Error if the session has ended: next-auth then removes the cookie. A failure of the service does not end the
 * session; the claims are checked at each request anyway.
 */
async function goOn(visitor: Visitor, claims: SessionClaims, orgId: unknown): Promise<SessionClaims> {
  try {
    const switched = typeof orgId === "string" && (await switchOrganisation(visitor, { claims, orgId }));
    if (switched || (await liveSession(claims))) return switched || claims;
  } catch (error) {
    log().error({ requestId: visitor.requestId, err: error }, "a session could not be looked up");
    return claims;
  }
  throw new Error("The session has ended");
}

/** Ends the session. A failure is only logged: next-auth removes the cookie in any case. */
async function signOut(visitor: Visitor, claims: SessionClaims): Promise<void> {
  const end = async () => {
    const session = await liveSession(claims);
    if (session) await endSession(visitor, session, {});
  };
  await end().catch((error: unknown) =>
    log().error({ requestId: visitor.requestId, err: error }, "a session could not be ended"),
  );
}

/** Picks the claims from a token or a user: next-auth adds a name, an address and times of its own. */
function claimsOf({ sessionId, userId, sessionVersion, orgId }: SessionClaims) {
  return { sessionId, userId, sessionVersion, orgId };
}
