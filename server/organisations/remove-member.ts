import { z } from "zod";
import { audit } from "@/server/access/audit";
import { withdrawInvitationsGivenBy } from "@/server/access/invitations";
import { accessMadeBy } from "@/server/access/made-by";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { revokeOAuthClient } from "@/server/access/revoke-oauth-client";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadMemberToChange } from "./load-member";

/**
 * Removes a member: their next request in this organisation is refused, and the jobs that they queued stop. The account
 * stays. Withdraws the invitations that they made, so that neither they nor others can join by one. With
 * `revokeAccess`, which needs keys:write, also revokes every key and OAuth client that they created. Leaves an audit
 * entry for each.
 */
export const removeMember = command({
  name: "members.remove",
  scope: "members:write",
  input: z.strictObject({ id: id("mem"), revokeAccess: z.boolean().default(false) }),
  async run(ctx, input) {
    const member = await loadMemberToChange(ctx, input.id, false);
    const made = input.revokeAccess ? await accessMadeBy(ctx.tx.sql, ctx.orgId, member.user_id, ctx.now) : [];
    for (const each of made) await (each.type === "api_key" ? revokeApiKey : revokeOAuthClient)(ctx, { id: each.id });
    const withdrawn = await withdrawInvitationsGivenBy(ctx, member.user_id, new Set());
    await ctx.tx.sql(`DELETE FROM memberships WHERE org_id = $1 AND id = $2`, [ctx.orgId, member.id]);
    await audit(
      ctx,
      "member.removed",
      { type: "member", id: publicId("mem", member.id) },
      {
        userId: publicId("usr", member.user_id),
        role: member.role,
        ...(input.revokeAccess && { revoked: made.map((each) => each.id) }),
      },
    );
    return { revoked: made.length, withdrawn };
  },
});
