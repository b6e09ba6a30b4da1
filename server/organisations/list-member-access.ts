import { z } from "zod";
import { accessMadeBy } from "@/server/access/made-by";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";

/** The API keys and OAuth clients that a member made and that work still: what they may go on holding after they left. */
export const listMemberAccess = query({
  name: "members.access",
  scope: "keys:read",
  input: z.strictObject({ id }),
  async run(ctx, input) {
    const { sql } = reading(ctx);
    const [member] = await sql<{ user_id: string }>(`SELECT user_id FROM memberships WHERE org_id = $1 AND id = $2`, [ctx.orgId, input.id]);
    if (!member) throw notFound("member", input.id);
    const made = await accessMadeBy(sql, ctx.orgId, member.user_id, ctx.now);
    return made.map(({ type, id: madeId, name, lastUsedAt }) => ({ type, id: madeId, name, lastUsedAt: lastUsedAt?.toISOString() ?? null }));
  },
});
