import { decode, type JWT } from "next-auth/jwt";
import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { env } from "@/server/core/env";
import { newId } from "@/server/core/ids";
import { deriveKeys } from "@/server/core/secrets";
import { membershipsOf, type MembershipOf } from "./memberships";
import { roleScopes } from "./roles";
import { hasFactorSql } from "./second-factor/has-second-factor";

/** What the session cookie holds, encrypted: no name, no address, no right. Those are read anew at each request. */
const sessionClaims = z.object({ sessionId: z.string(), userId: z.string(), sessionVersion: z.int(), orgId: z.string().nullable() });
export type SessionClaims = z.infer<typeof sessionClaims>;

/** A person who is signed in, as the database has it now. */
export interface ConsoleSession {
  user: { id: string; email: string; name: string };
  memberships: MembershipOf[];
  /** Of this one session. */
  sessionId: string;
  /** Whether the person has one, and whether the organisation that they work in waits for it: then they can do nothing but set it up. */
  secondFactor: { isSetUp: boolean; isDue: boolean };
  /** The organisation that they work in; null where they were removed from it and have not chosen another. */
  current: MembershipOf | null;
}

/** How long a session lasts from signing in, or from going to another organisation. */
export const sessionSeconds = 12 * 60 * 60;

const isSecure = () => env().PUBLIC_URL.startsWith("https://");

export function sessionCookie() {
  const name = isSecure() ? "__Secure-bonafide.session" : "bonafide.session";
  return { name, options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure: isSecure() } };
}

let secrets: string[] | undefined;
const sessionSecrets = () => (secrets ??= deriveKeys("console-session").map((key) => key.toString("base64url")));
/** What session cookies are encrypted with. */
export const sessionSecret = () => sessionSecrets()[0]!;

/** Decrypts a session cookie, also one from before the master secret was rotated; null for one that was tampered with or has expired. */
export async function decodeSession(token: string): Promise<JWT | null> {
  for (const secret of sessionSecrets()) {
    const claims = await decode({ token, secret }).catch(() => null);
    if (claims) return claims;
  }
  return null;
}

/**
 * The session as it stands now, or null where it ended or there is none: signing out ends it by its id, a new password and a call to end all sessions
 * raise the user's sessionVersion, and a membership that was removed is no longer found. So each holds from the next request on.
 */
export async function liveSession(token: unknown): Promise<ConsoleSession | null> {
  const { data: claims } = sessionClaims.safeParse(token);
  if (!claims) return null;
  const [[user], memberships] = await Promise.all([
    sql<{ id: string; email: string; name: string; version: number; has_factor: boolean }>(
      `SELECT id, email, name, session_version AS version, ${hasFactorSql("users.id")} AS has_factor FROM users WHERE id = $1 AND disabled_at IS NULL AND NOT EXISTS (SELECT 1 FROM ended_sessions WHERE id = $2)`,
      [claims.userId, claims.sessionId],
    ),
    membershipsOf(sql, claims.userId),
  ]);
  if (!user || user.version !== claims.sessionVersion) return null;
  const { version: _, has_factor: isSetUp, ...person } = user;
  const current = memberships.find((m) => m.orgId === claims.orgId) ?? null;
  return { user: person, memberships, sessionId: claims.sessionId, secondFactor: { isSetUp, isDue: current !== null && current.requiresSecondFactor && !isSetUp }, current };
}

/** The session that a request carries, by its cookie. */
export async function consoleSession(headers: Headers): Promise<ConsoleSession | null> {
  const token = readCookie(headers.get("cookie") ?? "", sessionCookie().name);
  return token ? liveSession(await decodeSession(token)) : null;
}

/** The context of a person at work in an organisation, with the scopes of their role there; null for anyone else, where it is suspended, and while a second factor is due. */
export async function consoleCtx(headers: Headers): Promise<Ctx | null> {
  const session = await consoleSession(headers);
  return session && ctxOf(session, newId("req"), new Date());
}

export function ctxOf(session: ConsoleSession, requestId: string, now: Date): Ctx | null {
  if (!session.current || session.current.suspended || session.secondFactor.isDue) return null;
  const { orgId, role } = session.current;
  return { orgId, actor: { type: "user", id: session.user.id }, scopes: roleScopes[role], requestId, now };
}

/** The value of a cookie in a Cookie header. */
export function readCookie(header: string, name: string): string | undefined {
  const pair = header.split(/; */).find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
