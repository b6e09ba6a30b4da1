import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/** The first five rules and policies that name a group: `what` says which kind, in words for a sentence. */
export const usersOfGroup = (ctx: TxCtx, id: Id<"grp">): Promise<{ what: string; name: string }[]> =>
  ctx.tx.sql<{ what: string; name: string }>(
    `SELECT 'the rule of ' AS what, name FROM groups WHERE org_id = $1 AND $2 = ANY(rule_group_ids)
     UNION ALL SELECT 'the policy ', name FROM policies WHERE org_id = $1 AND (group_id = $2 OR $2 = ANY(rule_group_ids)) AND deleted_at IS NULL LIMIT 5`,
    [ctx.orgId, id],
  );

/** Whether a policy depends on who is in a group: by naming it, or a rule group whose rule names it. */
export async function feedsPolicy(ctx: TxCtx, id: Id<"grp">): Promise<boolean> {
  const [row] = await ctx.tx.sql<{ feeds: boolean }>(
    `SELECT EXISTS (
       SELECT FROM policies p WHERE p.org_id = $1 AND p.deleted_at IS NULL AND (
         p.group_id = $2 OR $2 = ANY(p.rule_group_ids)
         OR p.group_id IN (SELECT id FROM groups WHERE org_id = $1 AND $2 = ANY(rule_group_ids)))
     ) AS feeds`,
    [ctx.orgId, id],
  );
  return row!.feeds;
}
