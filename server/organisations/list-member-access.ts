import { z } from "zod";
import { invitationsGivenBy } from "@/server/access/invitations";
import { accessMadeBy } from "@/server/access/made-by";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";

/**
 * Lists the working access that a member has given: API keys and OAuth clients, which stay usable after the member
 * leaves, and invitations, which are withdrawn then. An invitation is named by the address it invites.
 */
export const listMemberAccess = query({
  name: "members.access",
  scope: "keys:read",
  input: z.strictObject({ id: id("mem") }),
  async run(ctx, input) {
    const { sql } = reading(ctx);
    const [member] = await sql<{ user_id: Id<"usr"> }>(
      `SELECT user_id FROM memberships WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, input.id],
    );
    if (!member) throw notFound("member", publicId("mem", input.id));
    const made = await accessMadeBy(sql, ctx.orgId, member.user_id, ctx.now);
    const invited = await invitationsGivenBy(sql, ctx.orgId, member.user_id, ctx.now);
    return [
      ...made.map(({ type, id: madeId, name, lastUsedAt }) => ({
        type,
        id: madeId,
        name,
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
      ...invited.map((each) => ({
        type: "invitation" as const,
        id: publicId("inv", each.id),
        name: each.email,
        lastUsedAt: null,
      })),
    ];
  },
});
