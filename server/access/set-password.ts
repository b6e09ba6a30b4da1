import { publicId, type Id } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";
import { queueAccountMail, sendsMail } from "./account-mail";
import { audit } from "./audit";
import { forgetAccountGuesses } from "./guessing";
import { membershipsOf } from "./memberships";
import { admitted, type Visitor } from "./visitor";

/**
 * Stores a new password, ends every session of the account and withdraws its other reset links. Tells the person by
 * e-mail. Leaves an audit entry in each organisation.
 */
export async function setPassword(
  visitor: Visitor,
  tx: Tx,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<void> {
  const [user] = await tx.sql<{ id: Id<"usr">; is_verified: boolean }>(
    `UPDATE users SET password_hash = $2, session_version = session_version + 1, updated_at = $3 WHERE email = $1 RETURNING id, email_verified_at IS NOT NULL AS is_verified`,
    [email, passwordHash, visitor.now],
  );
  forgetAccountGuesses(email);
  // An unverified address gets no mail, because somebody else may read it.
  if (user!.is_verified && sendsMail()) await queueAccountMail(tx, visitor.now, "password_changed", email);
  await tx.sql(`DELETE FROM one_time_links WHERE purpose = 'password_reset' AND email = $1 AND used_at IS NULL`, [
    email,
  ]);
  for (const { orgId } of await membershipsOf(tx.sql, user!.id)) {
    await audit(admitted(visitor, tx, orgId, user!.id), "user.password_changed", {
      type: "user",
      id: publicId("usr", user!.id),
    });
  }
}
