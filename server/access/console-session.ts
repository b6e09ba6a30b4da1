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

/** What the session cookie holds, encrypted: no name, no address, no right. Those are read anew at each request. */
export const sessionClaims = z.object({
  sessionId: storedId("ses"),
  userId: storedId("usr"),
  sessionVersion: z.int(),
  orgId: storedId("org").nullable(),
});
export type SessionClaims = z.infer<typeof sessionClaims>;

/** A person who is signed in, as the database has it now. */
export interface ConsoleSession {
  user: { id: Id<"usr">; email: string; name: string };
  memberships: MembershipOf[];
  /** Of this one session. */
  sessionId: Id<"ses">;
  /**
   * Whether the person has one, and whether the organisation that they work in waits for it: then they can do nothing
   * but set it up.
   */
  secondFactor: { isSetUp: boolean; isDue: boolean };
  /** The organisation that they work in; null where they were removed from it and have not chosen another. */
  current: MembershipOf | null;
}

/** How long a session lasts without being used. Each use of the console renews its cookie. */
export const sessionSeconds = 12 * 60 * 60;

/** How long a session lasts however much it is used. */
export const absoluteSessionSeconds = 24 * 60 * 60;

const isSecure = () => env().PUBLIC_URL.startsWith("https://");

export function sessionCookie() {
  // With __Host-, a browser takes it from this host over https alone: a neighbouring subdomain cannot plant one (RFC
  // 6265bis).
  const name = isSecure() ? "__Host-bonafide.session" : "bonafide.session";
  return { name, options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure: isSecure() } };
}

let secrets: string[] | undefined;
const sessionSecrets = () => (secrets ??= deriveKeys("console-session").map((key) => key.toString("base64url")));
/** What session cookies are encrypted with. */
export const sessionSecret = () => sessionSecrets()[0]!;

/**
 * Decrypts a session cookie, also one from before the master secret was rotated; null for one that was tampered with or
 * has expired.
 */
export async function decodeSession(token: string): Promise<JWT | null> {
  for (const secret of sessionSecrets()) {
    const claims = await decode({ token, secret }).catch(() => null);
    if (claims) return claims;
  }
  return null;
}

/**
 * The session as it stands now, or null where it ended or there is none. It is ended by its id (signing out, a new
 * sign-in in the same browser, the list of sessions) and 24 hours after it began; a new password and a call to end all
 * sessions raise the user's sessionVersion; a membership that was removed is no longer found. So each holds from the
 * next request on.
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

/** The session that a request carries, by its cookie. */
export async function consoleSession(headers: Headers): Promise<ConsoleSession | null> {
  return liveSession(await sessionClaimsOf(headers));
}

/**
 * What the session cookie of a request holds, whether or not the session is live. A cookie of another secret, or one
 * that was tampered with, is as good as none.
 */
export async function sessionClaimsOf(headers: Headers): Promise<SessionClaims | null> {
  const token = readCookie(headers.get("cookie") ?? "", sessionCookie().name);
  return sessionClaims.safeParse(token && (await decodeSession(token))).data ?? null;
}

/**
 * The context of a person at work in an organisation, with the scopes of their role there; null for anyone else, where
 * it is suspended, and while a second factor is due.
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

/** The value of a cookie in a Cookie header. */
export function readCookie(header: string, name: string): string | undefined {
  const pair = header.split(/; */).find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
