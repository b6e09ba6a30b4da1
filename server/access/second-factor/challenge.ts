import { randomBytes } from "node:crypto";
import { env } from "@/server/core/env";
import type { Query } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { hashToken } from "@/server/core/secrets";
import type { Proof } from "../start-session";

/** How long the second step of a sign-in, or the creation of a passkey, may take, in ms. */
export const challengeMs = 5 * 60_000;

/** Maximum number of answers to one challenge. After these the sign-in must begin again. */
const maxAttempts = 5;

type Purpose = "sign_in" | "passkey_registration" | "sso";

/** A challenge that the service issued to a browser. */
export interface Challenge {
  /** Null while the person is unknown: a sign-in with only a passkey. */
  userId: Id<"usr"> | null;
  sessionVersion: number | null;
  webauthnChallenge: string | null;
  sso: Uint8Array | null;
  proof: Proof | null;
}

interface NewChallenge extends Partial<Challenge> {
  purpose: Purpose;
}

/** Stores a challenge for five minutes and returns its token. Stores only the hash of the token. */
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

// A new password, or ending all sessions, also ends unfinished sign-ins.
const isOpen = `token_hash = $1 AND purpose = $2 AND expires_at > $3
  AND (user_id IS NULL OR session_version = (SELECT u.session_version FROM users u WHERE u.id = user_id))`;

/**
 * Finds the challenge of a token. Returns null if there is none, if it has expired, or if the account's sessions were
 * ended meanwhile.
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
 * Counts an answer to a sign-in before it is checked, so that answers sent at once all count.
 *
 * @throws DomainError sign_in_expired.
 */
export async function admitAnswer(sql: Query, token: string, now: Date): Promise<Challenge> {
  const [found] = await sql<Challenge>(
    `UPDATE challenges SET attempts = attempts + 1 WHERE ${isOpen} AND attempts < ${maxAttempts} RETURNING ${columns}`,
    [hashToken(token), "sign_in", now],
  );
  if (!found) throw expired();
  return found;
}

/** Sets the WebAuthn challenge of a sign-in in progress. Returns false if there is no such sign-in. */
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
 * Uses up a challenge, in the transaction of the action that it permits. Of concurrent answers, one succeeds.
 *
 * @throws DomainError sign_in_expired.
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

/** Deletes a challenge, so that its sign-in ends. */
export async function dropChallenge(sql: Query, token: string): Promise<void> {
  await sql(`DELETE FROM challenges WHERE token_hash = $1`, [hashToken(token)]);
}

const expired = () =>
  new DomainError(
    "sign_in_expired",
    "This sign-in took longer than five minutes, or had too many wrong answers. Start again.",
  );

/**
 * The cookie that binds a sign-in in progress to its browser. It gives access to nothing; only the sign-in operations
 * read it.
 */
export function signInCookie() {
  const secure = env().PUBLIC_URL.startsWith("https://");
  return { name: secure ? "__Host-bonafide.sign-in" : "bonafide.sign-in", secure };
}

/** Builds the Set-Cookie header for a sign-in's token; null deletes the cookie. */
export function signInCookieHeader(token: string | null): string {
  const { name, secure } = signInCookie();
  return `${name}=${token ?? ""}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${token ? challengeMs / 1000 : 0}${secure ? "; Secure" : ""}`;
}
