import type { Tx } from "@/server/core/transaction";
import type { ConsoleSession } from "../console-session";
import { auditFactor } from "../second-factor/factor-changed";
import { membershipsOf } from "../memberships";
import type { Visitor } from "../visitor";
import type { SsoIdentity } from "./finish-sso";

/**
 * Connects a person's account with an account at the identity provider. From then on only issuer and subject identify
 * the person. Each account has at most one connection per provider, and vice versa. Leaves audit entries.
 *
 * @returns false if either account is already connected
 */
export async function connectSso(
  visitor: Visitor,
  tx: Tx,
  user: ConsoleSession["user"],
  { issuer, subject, email }: SsoIdentity,
): Promise<boolean> {
  const connected = await tx.sql(
    `INSERT INTO sso_identities (issuer, subject, user_id, email, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING 1`,
    [issuer, subject, user.id, email ?? "", visitor.now],
  );
  if (connected.length === 0) return false;
  await auditFactor(visitor, tx, { user, memberships: await membershipsOf(tx.sql, user.id) }, "user.sso_connected", {
    issuer,
  });
  return true;
}
