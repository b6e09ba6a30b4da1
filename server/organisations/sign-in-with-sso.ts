import { createUser } from "@/server/access/create-user";
import { createChallenge } from "@/server/access/second-factor/challenge";
import { connectSso } from "@/server/access/sso/connect-sso";
import type { SsoIdentity } from "@/server/access/sso/finish-sso";
import type { Visitor } from "@/server/access/visitor";
import { newId, type Id } from "@/server/core/ids";
import { transaction, type Tx } from "@/server/core/transaction";

/** Why single sign-on did not lead to an account, for the sign-in page. */
export type SsoRefusal = "unverified" | "not_invited" | "connect";

interface User {
  id: Id<"usr">;
  email: string;
  name: string;
}

/**
 * Finds the account of an identity, in this order (docs/decisions/119):
 * 1. Issuer and subject are connected with an account: that one, whatever its address.
 * 2. An account has the identity's verified address, we have verified it too, and the account has no connection at this
 *    provider: it is connected now.
 * 3. No account has the address and it is invited: an account is created. It joins no organisation until the person
 *    accepts an invitation.
 *
 * The sign-in continues with completeSignIn, which asks for a second factor as after a password.
 *
 * @returns the token for the sign-in cookie, or why there is no account
 */
export function signInWithSso(
  visitor: Visitor,
  identity: SsoIdentity,
): Promise<{ token: string } | { refusal: SsoRefusal }> {
  return transaction(async (tx) => {
    const found = (await connected(visitor, tx, identity)) ?? (await byAddress(visitor, tx, identity));
    if (typeof found === "string") return { refusal: found };
    const [user] = await tx.sql<{ version: number }>(`SELECT session_version AS version FROM users WHERE id = $1`, [
      found.id,
    ]);
    return {
      token: await createChallenge(tx.sql, visitor.now, {
        purpose: "sign_in",
        userId: found.id,
        sessionVersion: user!.version,
        proof: "sso",
      }),
    };
  });
}

async function connected(
  visitor: Visitor,
  tx: Tx,
  { issuer, subject }: SsoIdentity,
): Promise<{ id: Id<"usr"> } | null> {
  const [row] = await tx.sql<{ id: Id<"usr"> }>(
    `UPDATE sso_identities SET last_used_at = $3 WHERE issuer = $1 AND subject = $2 RETURNING user_id AS id`,
    [issuer, subject, visitor.now],
  );
  return row ?? null;
}

async function byAddress(visitor: Visitor, tx: Tx, identity: SsoIdentity): Promise<{ id: Id<"usr"> } | SsoRefusal> {
  const { email } = identity;
  if (!email) return "unverified";
  const [user] = await tx.sql<User & { verified: boolean }>(
    `SELECT id, email, name, email_verified_at IS NOT NULL AS verified FROM users WHERE email = $1 FOR UPDATE`,
    [email],
  );
  if (user) return user.verified && (await connectSso(visitor, tx, user, identity)) ? user : "connect";
  const [invited] = await tx.sql(
    `SELECT 1 FROM one_time_links WHERE purpose = 'invite' AND email = $1 AND used_at IS NULL AND expires_at > $2 LIMIT 1`,
    [email, visitor.now],
  );
  if (!invited) return "not_invited";
  const made: User = { id: newId("usr"), email, name: identity.name };
  await createUser(tx, { ...made, passwordHash: null, isVerified: true, now: visitor.now });
  await connectSso(visitor, tx, made, identity);
  return made;
}
