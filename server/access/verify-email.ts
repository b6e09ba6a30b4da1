import { z } from "zod";
import { publicId, type Id } from "@/server/core/ids";
import { visitorCommand } from "@/server/core/operation";
import type { Tx } from "@/server/core/transaction";
import { audit } from "./audit";
import { membershipsOf } from "./memberships";
import { redeemLink } from "./one-time-link";
import { admitted, type Visitor } from "./visitor";

/**
 * Marks an e-mail address as verified, by the link that was sent to it. Leaves audit entries.
 *
 * @throws DomainError link_unusable.
 */
export const verifyEmail = visitorCommand({
  name: "users.verify_email",
  input: z.strictObject({ token: z.string().max(200) }),
  async run(visitor, tx, { token }) {
    const { email } = await redeemLink(tx, token, visitor.now, "email_verification");
    await markVerified(visitor, tx, email!);
    return { email: email! };
  },
});

/** Records that the owner of the account with this address reads its mail. Leaves audit entries the first time. */
export async function markVerified(visitor: Visitor, tx: Tx, email: string): Promise<void> {
  const [user] = await tx.sql<{ id: Id<"usr"> }>(
    `UPDATE users SET email_verified_at = $2 WHERE email = $1 AND email_verified_at IS NULL RETURNING id`,
    [email, visitor.now],
  );
  if (!user) return;
  for (const { orgId } of await membershipsOf(tx.sql, user.id))
    await audit(admitted(visitor, tx, orgId, user.id), "user.email_verified", {
      type: "user",
      id: publicId("usr", user.id),
    });
}
