import { z } from "zod";
import { audit } from "@/server/access/audit";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadMemberToChange } from "./load-member";

/** Ends a membership: the person's next request in this organisation is refused. Leaves an audit entry. The account stays. */
export const removeMember = command({
  name: "members.remove",
  scope: "members:write",
  input: z.strictObject({ id }),
  async run(ctx, input) {
    const member = await loadMemberToChange(ctx, input.id, false);
    await ctx.tx.sql(`DELETE FROM memberships WHERE org_id = $1 AND id = $2`, [ctx.orgId, member.id]);
    await audit(ctx, "member.removed", { type: "member", id: member.id }, { userId: member.user_id, role: member.role });
  },
});
