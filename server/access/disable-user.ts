import { z } from "zod";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { auditAccount, findAccount } from "./find-account";
import { withdrawInvitationsGivenBy } from "./invitations";
import { membershipsOf } from "./memberships";
import { requireOperator } from "./operator";
import { emailAddress } from "./password";

/**
 * Disables an account. Operator only. Leaves an audit entry in each of its organisations.
 * The person can no longer sign in, sessions end with their next request, reset links stop working, invitations that
 * the person made are withdrawn, and jobs that they queued stop. Their memberships, and the keys that they created,
 * stay.
 */
export const disableUser = command({
  name: "users.disable",
  scope: "members:owners",
  input: z.strictObject({ email: emailAddress }),
  async run(ctx, { email }) {
    requireOperator(ctx, "disables accounts");
    const account = await findAccount(ctx, email);
    if (account.disabledAt) return { id: publicId("usr", account.id), email, disabled: true };
    await ctx.tx.sql(
      `UPDATE users SET disabled_at = $2, session_version = session_version + 1, updated_at = $2 WHERE id = $1`,
      [account.id, ctx.now],
    );
    await ctx.tx.sql(`DELETE FROM one_time_links WHERE purpose = 'password_reset' AND email = $1 AND used_at IS NULL`, [
      email,
    ]);
    for (const { orgId } of await membershipsOf(ctx.tx.sql, account.id))
      await withdrawInvitationsGivenBy({ ...ctx, orgId }, account.id, new Set());
    await auditAccount(ctx, account.id, "user.disabled");
    return { id: publicId("usr", account.id), email, disabled: true };
  },
});
