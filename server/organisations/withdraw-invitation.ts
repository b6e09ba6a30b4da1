import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { Role } from "@/server/access/roles";
import { notFound } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";

/**
 * Withdraws an unused invitation: its link stops working. Only owners can withdraw an invitation to become an owner.
 * Leaves an audit entry.
 */
export const withdrawInvitation = command({
  name: "members.withdraw_invitation",
  scope: "members:write",
  input: z.strictObject({ id: id("inv") }),
  async run(ctx, input) {
    const [gone] = await ctx.tx.sql<{ role: Role }>(
      `DELETE FROM one_time_links WHERE org_id = $1 AND id = $2 AND purpose = 'invite' AND used_at IS NULL RETURNING role`,
      [ctx.orgId, input.id],
    );
    if (!gone) throw notFound("invitation", publicId("inv", input.id));
    if (gone.role === "owner") requireScope(ctx, "members:owners");
    await audit(ctx, "member.invitation_withdrawn", { type: "invitation", id: publicId("inv", input.id) });
  },
});
