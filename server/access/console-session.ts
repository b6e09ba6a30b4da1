import { decode, type JWT } from "next-auth/jwt";
import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { env } from "@/server/core/env";
import { newPublicId, publicId, type Id } from "@/server/core/ids";
import { storedId } from "@/server/core/input";
import { deriveKeys } from "@/server/core/secrets";
import { membershipsOf, type MembershipOf } from "./memberships";
import { roleScopes } from "./roles";
import { hasFactorSql } from "./second-factor/has-second-factor";

/**
 * The encrypted content of the session cookie. It holds no name, address or right: those are read from the database for
 * each request.
 */
export const sessionClaims = z.object({
  sessionId: storedId("ses"),
  userId: storedId("usr"),
  sessionVersion: z.int(),
  orgId: storedId("org").nullable(),
});
export type SessionClaims = z.infer<typeof sessionClaims>;

/** A signed-in person, as currently stored in the database. */
export interface ConsoleSession {
  user: { id: Id<"usr">; email: string; name: string };
  memberships: MembershipOf[];
  /** The id of this session; ending it leaves the person's other sessions. */
  sessionId: Id<"ses">;
  /**
   * `isSetUp`: the person has a second factor. `isDue`: the current organisation requires one and the person has none,
   * so they can do nothing but set one up.
   */
  secondFactor: { isSetUp: boolean; isDue: boolean };
  /** The organisation that they work in; null if they were removed from it and have not chosen another. */
  current: MembershipOf | null;
}

/** How long an unused session lasts, in seconds. Each use of the console renews its cookie. */
export const sessionSeconds = 12 * 60 * 60;

/** How long a session lasts even if it is used, in seconds. */
export const absoluteSessionSeconds = 24 * 60 * 60;

const isSecure = () => env().PUBLIC_URL.startsWith("https://");

export function sessionCookie() {
  // A browser accepts a __Host- cookie only from this host over https, so a neighbouring subdomain cannot plant one
  // (RFC 6265bis).
  const name = isSecure() ? "__Host-bonafide.session" : "bonafide.session";
  return { name, options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure: isSecure() } };
}

let secrets: string[] | undefined;
const sessionSecrets = () => (secrets ??= deriveKeys("console-session").map((key) => key.toString("base64url")));
/** The secret that session cookies are encrypted with. */
export const sessionSecret = () => sessionSecrets()[0]!;

/**
 * Decrypts a session cookie, also one from before the master secret was rotated. Returns null for a cookie that was
 * tampered with or has expired.
 */
export async function decodeSession(token: string): Promise<JWT | null> {
  for (const secret of sessionSecrets()) {
    const claims = await decode({ token, secret }).catch(() => null);
    if (claims) return claims;
  }
  return null;
}

/**
 * Loads the current state of a session. Returns null if there is none or it has ended.
 * A session ends by its id (signing out, a new sign-in in the same browser, the list of sessions) and 24 hours after it
 * began. A new password or ending all sessions raises the user's sessionVersion, which invalidates every earlier
 * cookie. A removed membership is no longer found. Each of these takes effect with the next request.
 */
export async function liveSession(token: unknown, now = new Date()): Promise<ConsoleSession | null> {
  const { data: claims } = sessionClaims.safeParse(token);
  if (!claims) return null;
  const [[user], memberships] = await Promise.all([
    sql<{ id: Id<"usr">; email: string; name: string; version: number; has_factor: boolean }>(
      `SELECT id, email, name, session_version AS version, ${hasFactorSql("users.id")} AS has_factor FROM users WHERE id = $1 AND disabled_at IS NULL
       AND EXISTS (SELECT 1 FROM console_sessions s WHERE s.id = $2 AND s.user_id = users.id AND s.ended_at IS NULL AND s.expires_at > $3)`,
      [claims.userId, claims.sessionId, now],
    ),
    membershipsOf(sql, claims.userId),
  ]);
  if (!user || user.version !== claims.sessionVersion) return null;
  const { version: _, has_factor: isSetUp, ...person } = user;
  const current = memberships.find((m) => m.orgId === claims.orgId) ?? null;
  return {
    user: person,
    memberships,
    sessionId: claims.sessionId,
    secondFactor: { isSetUp, isDue: current !== null && current.requiresSecondFactor && !isSetUp },
    current,
  };
}

/** Loads the session of a request by its cookie. */
export async function consoleSession(headers: Headers): Promise<ConsoleSession | null> {
  return liveSession(await sessionClaimsOf(headers));
}

/**
 * Reads the claims of a request's session cookie, without checking that the session is live. Returns null for a cookie
 * of another secret and for one that was tampered with.
 */
export async function sessionClaimsOf(headers: Headers): Promise<SessionClaims | null> {
  const token = readCookie(headers.get("cookie") ?? "", sessionCookie().name);
  return sessionClaims.safeParse(token && (await decodeSession(token))).data ?? null;
}

/**
 * Builds the context of a person who works in an organisation, with the scopes of their role there. Returns null
 * without a session, if the organisation is suspended, and while a second factor is due.
 */
export async function consoleCtx(headers: Headers): Promise<Ctx | null> {
  const session = await consoleSession(headers);
  return session && ctxOf(session, newPublicId("req"), new Date());
}

export function ctxOf(session: ConsoleSession, requestId: string, now: Date): Ctx | null {
  if (!session.current || session.current.suspended || session.secondFactor.isDue) return null;
  const { orgId, role } = session.current;
  return {
    orgId,
    actor: { type: "user", id: publicId("usr", session.user.id) },
    scopes: roleScopes[role],
    requestId,
    now,
  };
}

/** Reads the value of a cookie from a Cookie header. */
export function readCookie(header: string, name: string): string | undefined {
  const pair = header.split(/; */).find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
