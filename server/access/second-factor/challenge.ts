import { randomBytes } from "node:crypto";
import { env } from "@/server/core/env";
import type { Query } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { hashToken } from "@/server/core/secrets";
import type { Proof } from "../start-session";

/** How long the second step of a sign-in, or the creation of a passkey, may take. */
export const challengeMs = 5 * 60_000;

/** Wrong answers to one challenge. After these, the sign-in begins anew. */
const maxAttempts = 5;

type Purpose = "sign_in" | "passkey_registration" | "sso";

/** What the service asked a browser and waits for. */
export interface Challenge {
  /** Null before anybody is known: a sign-in with a passkey alone. */
  userId: Id<"usr"> | null;
  sessionVersion: number | null;
  webauthnChallenge: string | null;
  sso: Uint8Array | null;
  proof: Proof | null;
}

interface NewChallenge extends Partial<Challenge> {
  purpose: Purpose;
}

/** Stores a challenge for five minutes and returns its token, of which only the hash is kept. */
export async function createChallenge(
  sql: Query,
  now: Date,
  challenge: NewChallenge,
  token = randomBytes(32).toString("base64url"),
): Promise<string> {
  const {
    purpose,
    userId = null,
    sessionVersion = null,
    webauthnChallenge = null,
    sso = null,
    proof = null,
  } = challenge;
  await sql(
    `INSERT INTO challenges (token_hash, purpose, user_id, session_version, webauthn_challenge, sso, proof, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      hashToken(token),
      purpose,
      userId,
      sessionVersion,
      webauthnChallenge,
      sso,
      proof,
      new Date(now.getTime() + challengeMs),
    ],
  );
  return token;
}

const columns = `user_id AS "userId", session_version AS "sessionVersion", webauthn_challenge AS "webauthnChallenge", sso, proof`;

// A new password, or a call to end all sessions, ends a half-finished sign-in too.
const isOpen = `token_hash = $1 AND purpose = $2 AND expires_at > $3
  AND (user_id IS NULL OR session_version = (SELECT u.session_version FROM users u WHERE u.id = user_id))`;

/**
 * The challenge of a token, or null where there is none, it has expired, or the account's sessions were ended
 * meanwhile.
 */
export async function findChallenge(sql: Query, token: string, purpose: Purpose, now: Date): Promise<Challenge | null> {
  const [found] = await sql<Challenge>(`SELECT ${columns} FROM challenges WHERE ${isOpen}`, [
    hashToken(token),
    purpose,
    now,
  ]);
  return found ?? null;
}

/**
 * Counts an answer before it is looked at, so that answers sent at once count too. @throws DomainError sign_in_expired.
 */
export async function admitAnswer(sql: Query, token: string, now: Date): Promise<Challenge> {
  const [found] = await sql<Challenge>(
    `UPDATE challenges SET attempts = attempts + 1 WHERE ${isOpen} AND attempts < ${maxAttempts} RETURNING ${columns}`,
    [hashToken(token), "sign_in", now],
  );
  if (!found) throw expired();
  return found;
}

/** Sets the WebAuthn challenge of a sign-in that is under way. False where there is no such sign-in. */
export async function setWebauthnChallenge(
  sql: Query,
  token: string,
  webauthnChallenge: string,
  now: Date,
): Promise<boolean> {
  const found = await sql(`UPDATE challenges SET webauthn_challenge = $4 WHERE ${isOpen} RETURNING 1`, [
    hashToken(token),
    "sign_in",
    now,
    webauthnChallenge,
  ]);
  return found.length > 0;
}

/**
 * Uses a challenge up, in the transaction of what it admits: of several answers at once, one does. @throws DomainError
 * sign_in_expired.
 */
export async function redeemChallenge(sql: Query, token: string, purpose: Purpose, now: Date): Promise<Challenge> {
  const [found] = await sql<Challenge>(`DELETE FROM challenges WHERE ${isOpen} RETURNING ${columns}`, [
    hashToken(token),
    purpose,
    now,
  ]);
  if (!found) throw expired();
  return found;
}

/** Gives a sign-in up. */
export async function dropChallenge(sql: Query, token: string): Promise<void> {
  await sql(`DELETE FROM challenges WHERE token_hash = $1`, [hashToken(token)]);
}

const expired = () =>
  new DomainError(
    "sign_in_expired",
    "This sign-in took longer than five minutes, or had too many wrong answers. Start again.",
  );

/** The cookie that binds a sign-in that is under way to its browser. It opens nothing: only completeSignIn reads it. */
export function signInCookie() {
  const secure = env().PUBLIC_URL.startsWith("https://");
  return { name: secure ? "__Host-bonafide.sign-in" : "bonafide.sign-in", secure };
}

/** The Set-Cookie header for a sign-in's token; null takes the cookie away. */
export function signInCookieHeader(token: string | null): string {
  const { name, secure } = signInCookie();
  return `${name}=${token ?? ""}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${token ? challengeMs / 1000 : 0}${secure ? "; Secure" : ""}`;
}
