import { publicId, type Id } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";
import { audit } from "./audit";
import { membershipsOf } from "./memberships";
import { setPassword } from "./set-password";
import { admitted, type Visitor } from "./visitor";

/**
 * Gives an account with an unverified address to the person who reads that address's mail.
 * Sets a new password, removes second factors and single sign-on, and ends every session. Memberships stay, because
 * they were given to the address. Leaves audit entries.
 *
 * @returns the user's id; null if the address has been verified meanwhile, so that nothing is changed
 */
export async function takeOverAccount(
  visitor: Visitor,
  tx: Tx,
  email: string,
  passwordHash: string,
): Promise<Id<"usr"> | null> {
  const [user] = await tx.sql<{ id: Id<"usr"> }>(
    `UPDATE users SET email_verified_at = $2 WHERE email = $1 AND email_verified_at IS NULL RETURNING id`,
    [email, visitor.now],
  );
  if (!user) return null;
  for (const table of ["authenticator_apps", "passkeys", "recovery_codes", "sso_identities"])
    await tx.sql(`DELETE FROM ${table} WHERE user_id = $1`, [user.id]);
  await setPassword(visitor, tx, { email, passwordHash });
  for (const { orgId } of await membershipsOf(tx.sql, user.id))
    await audit(admitted(visitor, tx, orgId, user.id), "user.taken_over", {
      type: "user",
      id: publicId("usr", user.id),
    });
  return user.id;
}
