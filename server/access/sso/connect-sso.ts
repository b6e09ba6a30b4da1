import type { Tx } from "@/server/core/transaction";
import type { ConsoleSession } from "../console-session";
import { auditFactor } from "../second-factor/factor-changed";
import { membershipsOf } from "../memberships";
import type { Visitor } from "../visitor";
import type { SsoIdentity } from "./finish-sso";

/**
 * Connects a person's account with one at the identity provider; from then on issuer and subject alone tell whose it
 * is. Each account is connected with at most one per provider, and each of those with one account. Leaves audit
 * entries.
 * @returns false where either is connected already
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
