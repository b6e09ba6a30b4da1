import { sql } from "@/server/core/db";
import { env } from "@/server/core/env";
import { publicId, type Id } from "@/server/core/ids";
import type { ConsoleSession } from "../console-session";
import type { Visitor } from "../visitor";

interface PasskeyRow {
  id: Id<"psk">;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

interface AccountRow {
  has_password: boolean;
  verified: boolean;
  added: Date | null;
  used: Date | null;
  codes: number;
  sso: string | null;
}

/**
 * Lists the ways a person signs in: second factors, the number of unused recovery codes, single sign-on. Contains no
 * secret.
 */
export async function listSecondFactors(_: Visitor, { user }: ConsoleSession) {
  const [[account], passkeys] = await Promise.all([
    sql<AccountRow>(
      `SELECT u.password_hash IS NOT NULL AS has_password, u.email_verified_at IS NOT NULL AS verified, a.confirmed_at AS added, a.last_used_at AS used,
         (SELECT count(*) FROM recovery_codes c WHERE c.user_id = u.id AND c.used_at IS NULL)::int AS codes,
         (SELECT s.email FROM sso_identities s WHERE s.user_id = u.id AND s.issuer = $2) AS sso
       FROM users u LEFT JOIN authenticator_apps a ON a.user_id = u.id AND a.confirmed_at IS NOT NULL WHERE u.id = $1`,
      [user.id, env().OIDC_ISSUER ?? ""],
    ),
    sql<PasskeyRow>(
      `SELECT id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM passkeys WHERE user_id = $1 ORDER BY id`,
      [user.id],
    ),
  ]);
  const { has_password, verified, added, used, codes, sso } = account!;
  return {
    hasPassword: has_password,
    emailVerified: verified,
    mailConfigured: env().SMTP_URL !== undefined,
    authenticatorApp: added && { addedAt: added.toISOString(), lastUsedAt: used?.toISOString() ?? null },
    passkeys: passkeys.map(({ id, createdAt, lastUsedAt, ...passkey }) => ({
      id: publicId("psk", id),
      ...passkey,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft: codes,
    sso: env().OIDC_ISSUER ? { name: env().OIDC_NAME, connectedAs: sso } : null,
  };
}
