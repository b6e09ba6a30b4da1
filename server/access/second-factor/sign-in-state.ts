import { sql } from "@/server/core/db";
import { env } from "@/server/core/env";
import type { Visitor } from "../visitor";
import { findChallenge } from "./challenge";

/** Returns what the sign-in page needs: the state of this browser's sign-in and the available ways to sign in. */
export async function signInState({ now }: Visitor, token: string | undefined) {
  const challenge = token ? await findChallenge(sql, token, "sign_in", now) : null;
  const [ways] = challenge?.userId
    ? await sql<{ app: boolean; passkey: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM authenticator_apps WHERE user_id = $1 AND confirmed_at IS NOT NULL) AS app, EXISTS (SELECT 1 FROM passkeys WHERE user_id = $1) AS passkey`,
        [challenge.userId],
      )
    : [];
  const { SMTP_URL, OIDC_ISSUER, OIDC_NAME } = env();
  return {
    /**
     * Null until the first factor is given; then which second factors the account has. If both are false, no further
     * step is needed.
     */
    second: ways ?? null,
    resetsByMail: SMTP_URL !== undefined,
    ssoName: OIDC_ISSUER ? OIDC_NAME : null,
  };
}
