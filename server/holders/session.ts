import { randomBytes } from "node:crypto";
import type { Query } from "@/server/core/db";
import { hashToken } from "@/server/core/secrets";
import type { Tx } from "@/server/core/transaction";

/** The lifetime of a session in milliseconds. Using it does not extend it. */
export const holderSessionMs = 60 * 60_000;

/** Begins a session for a proven address. @returns the token for the cookie; only its hash is stored */
export async function beginSession(tx: Tx, now: Date, email: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await tx.sql(`INSERT INTO holder_sessions (token_hash, email, expires_at, created_at) VALUES ($1, $2, $3, $4)`, [
    hashToken(token),
    email,
    new Date(now.getTime() + holderSessionMs),
    now,
  ]);
  return token;
}

/** The address of a live session; null without one. */
export async function addressOf(query: Query, token: string | null, now: Date): Promise<string | null> {
  if (token === null) return null;
  const [session] = await query<{ email: string }>(
    `SELECT email FROM holder_sessions WHERE token_hash = $1 AND expires_at > $2`,
    [hashToken(token), now],
  );
  return session?.email ?? null;
}
