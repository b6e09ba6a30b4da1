import { z } from "zod";
import { findAccount } from "@/server/access/find-account";
import { membershipsOf } from "@/server/access/memberships";
import { requireOperator } from "@/server/access/operator";
import { emailAddress } from "@/server/access/password";
import { publicId, type Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { removeMember } from "./remove-member";

/**
 * Deletes an account and everything that it signs in with, after removing its memberships one by one. Operator only.
 * Its actions stay in the audit logs under its id. With `revokeAccess`, also revokes the keys and OAuth clients that it
 * created.
 *
 * @throws DomainError last_owner if an organisation would be left without an owner; nothing is changed then.
 */
export const deleteUser = command({
  name: "users.delete",
  scope: "members:owners",
  input: z.strictObject({ email: emailAddress, revokeAccess: z.boolean().default(false) }),
  async run(ctx, { email, revokeAccess }) {
    requireOperator(ctx, "deletes accounts");
    const account = await findAccount(ctx, email);
    let revoked = 0;
    for (const { orgId } of await membershipsOf(ctx.tx.sql, account.id)) {
      const [member] = await ctx.tx.sql<{ id: Id<"mem"> }>(
        `SELECT id FROM memberships WHERE org_id = $1 AND user_id = $2`,
        [orgId, account.id],
      );
      if (member)
        revoked += (await removeMember({ ...ctx, orgId }, { id: publicId("mem", member.id), revokeAccess })).revoked;
    }
    await ctx.tx.sql(`DELETE FROM one_time_links WHERE email = $1 AND used_at IS NULL`, [email]);
    await ctx.tx.sql(`DELETE FROM users WHERE id = $1`, [account.id]);
    return { id: publicId("usr", account.id), email, revoked };
  },
});
