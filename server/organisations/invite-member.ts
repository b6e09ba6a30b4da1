import { z } from "zod";
import { queueAccountMail, sendsMail } from "@/server/access/account-mail";
import { audit } from "@/server/access/audit";
import { createLink } from "@/server/access/one-time-link";
import { emailAddress } from "@/server/access/password";
import { roles, type Role } from "@/server/access/roles";
import { DomainError } from "@/server/core/errors";
import { command, requireScope } from "@/server/core/operation";

/**
 * Invites a person to join the organisation. Where an SMTP server is configured, the link is sent to their address and `url` is null: a link
 * that only their mailbox knows proves that the address is theirs. Otherwise, and for the operator, `url` is the link, this once.
 * Withdraws earlier invitations of the same address; one to become an owner, only owners may replace. Leaves an audit entry.
 */
export const inviteMember = command({
  name: "members.invite",
  scope: (input) => (input.role === "owner" ? "members:owners" : "members:write"),
  input: z.strictObject({ email: emailAddress, role: z.enum(roles) }),
  async run(ctx, { email, role }) {
    const [member] = await ctx.tx.sql(`SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND u.email = $2`, [ctx.orgId, email]);
    if (member) throw new DomainError("email_taken", "This person is a member of the organisation already.");
    const replaced = await ctx.tx.sql<{ role: Role; expired: boolean }>(
      `DELETE FROM one_time_links WHERE org_id = $1 AND purpose = 'invite' AND email = $2 AND used_at IS NULL RETURNING role, expires_at <= $3 AS expired`,
      [ctx.orgId, email, ctx.now],
    );
    if (replaced.some((earlier) => earlier.role === "owner" && !earlier.expired)) requireScope(ctx, "members:owners");
    const mailed = sendsMail() && ctx.actor.type !== "operator";
    const link = await createLink(ctx.tx, ctx.now, { purpose: "invite", orgId: ctx.orgId, email, role, mailed });
    if (mailed) await queueAccountMail(ctx.tx, ctx.now, "invitation", email, link);
    await audit(ctx, "member.invited", { type: "invitation", id: link.id }, { role });
    return { id: link.id, object: "invitation" as const, email, role, url: mailed ? null : link.url, expiresAt: link.expiresAt.toISOString() };
  },
});
