import { verifyAuthenticationResponse, type AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import type { Challenge } from "./challenge";
import { relyingParty } from "./relying-party";

interface PasskeyRow {
  id: Id<"psk">;
  user_id: Id<"usr">;
  session_version: number;
  public_key: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
}

/**
 * Checks a passkey's answer to a sign-in's challenge and records its use. Without a first factor, the answer must prove
 * user verification.
 *
 * @returns the owner of the passkey, or null for a wrong answer
 */
export async function checkPasskey(
  sql: Query,
  challenge: Challenge,
  response: AuthenticationResponseJSON,
  now: Date,
): Promise<{ id: Id<"usr">; sessionVersion: number } | null> {
  if (!challenge.webauthnChallenge) return null;
  const [passkey] = await sql<PasskeyRow>(
    `SELECT p.id, p.user_id, u.session_version, p.public_key, p.counter, p.transports FROM passkeys p JOIN users u ON u.id = p.user_id
     WHERE p.credential_id = $1 AND ($2::uuid IS NULL OR p.user_id = $2) FOR UPDATE OF p`,
    [response.id, challenge.userId],
  );
  if (!passkey) return null;
  const { id, origin } = relyingParty();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge.webauthnChallenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential: {
      id: response.id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
      transports: passkey.transports,
    },
    requireUserVerification: challenge.userId === null,
  }).catch(() => null);
  if (!verified?.verified) return null;
  await sql(`UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE id = $1`, [
    passkey.id,
    verified.authenticationInfo.newCounter,
    now,
  ]);
  return { id: passkey.user_id, sessionVersion: passkey.session_version };
}
