import { z } from "zod";
import { audit } from "@/server/access/audit";
import { withdrawInvitationsGivenBy } from "@/server/access/invitations";
import { roleScopes, roles } from "@/server/access/roles";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadMemberToChange } from "./load-member";
import { memberView } from "./member-view";

/**
 * Changes the role of a member, from their next request on. Withdraws invitations that they made and could not make
 * with the new role. Leaves an audit entry. Only owners can make somebody an owner or demote one.
 */
export const changeRole = command({
  name: "members.change_role",
  scope: (input) => (input.role === "owner" ? "members:owners" : "members:write"),
  input: z.strictObject({ id: id("mem"), role: z.enum(roles) }),
  async run(ctx, input) {
    const member = await loadMemberToChange(ctx, input.id, input.role === "owner");
    if (member.role === input.role) return memberView(member);
    await ctx.tx.sql(`UPDATE memberships SET role = $3 WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      member.id,
      input.role,
    ]);
    await withdrawInvitationsGivenBy(ctx, member.user_id, roleScopes[input.role]);
    await audit(
      ctx,
      "member.role_changed",
      { type: "member", id: publicId("mem", member.id) },
      { userId: publicId("usr", member.user_id), from: member.role, to: input.role },
    );
    return memberView({ ...member, role: input.role });
  },
});
