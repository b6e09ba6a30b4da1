import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { auditAccount, findAccount } from "./find-account";
import { withdrawInvitationsGivenBy } from "./invitations";
import { membershipsOf, type MembershipOf } from "./memberships";
import { requireOperator } from "./operator";
import { emailAddress } from "./password";

/**
 * Disables an account. Operator only. Leaves an audit entry in each of its organisations.
 * The person can no longer sign in, sessions end with their next request, reset links stop working, invitations that
 * the person made are withdrawn, and jobs that they queued stop. Their memberships, and the keys that they created,
 * stay. `withoutOwner` names the organisations (by slug) in which no owner can sign in any more.
 */
export const disableUser = command({
  name: "users.disable",
  scope: "members:owners",
  input: z.strictObject({ email: emailAddress }),
  async run(ctx, { email }) {
    requireOperator(ctx, "disables accounts");
    const account = await findAccount(ctx, email);
    const memberships = await membershipsOf(ctx.tx.sql, account.id);
    const answer = async () => ({
      id: publicId("usr", account.id),
      email,
      disabled: true,
      withoutOwner: await withoutOwner(ctx, memberships),
    });
    if (account.disabledAt) return answer();
    await ctx.tx.sql(
      `UPDATE users SET disabled_at = $2, session_version = session_version + 1, updated_at = $2 WHERE id = $1`,
      [account.id, ctx.now],
    );
    await ctx.tx.sql(`DELETE FROM one_time_links WHERE purpose = 'password_reset' AND email = $1 AND used_at IS NULL`, [
      email,
    ]);
    for (const { orgId } of memberships) await withdrawInvitationsGivenBy({ ...ctx, orgId }, account.id, new Set());
    await auditAccount(ctx, account.id, "user.disabled");
    return answer();
  },
});

/** The slugs of those organisations that the person owns and in which no owner can sign in. */
async function withoutOwner(ctx: TxCtx, memberships: readonly MembershipOf[]): Promise<string[]> {
  const found = [];
  for (const { orgId, slug, role } of memberships) {
    if (role !== "owner") continue;
    const [owners] = await ctx.tx.sql<{ able: number }>(
      `SELECT count(*) AS able FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND m.role = 'owner' AND u.disabled_at IS NULL`,
      [orgId],
    );
    if (owners!.able === 0) found.push(slug);
  }
  return found;
}
