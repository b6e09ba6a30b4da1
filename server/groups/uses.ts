import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/** The first five rules and policies that name a group: `what` is the kind, as part of a sentence. */
export const usersOfGroup = (ctx: TxCtx, id: Id<"grp">): Promise<{ what: string; name: string }[]> =>
  ctx.tx.sql<{ what: string; name: string }>(
    `SELECT 'the rule of ' AS what, name FROM groups WHERE org_id = $1 AND $2 = ANY(rule_group_ids)
     UNION ALL SELECT 'the policy ', name FROM policies WHERE org_id = $1 AND (group_id = $2 OR $2 = ANY(rule_group_ids)) AND deleted_at IS NULL LIMIT 5`,
    [ctx.orgId, id],
  );

/** Whether a policy depends on the members of a group: by naming the group, or a rule group whose rule names it. */
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

/** Returns the groups among these on whose members a policy depends (see feedsPolicy). */
export async function feedingPolicies(ctx: TxCtx, ids: readonly Id<"grp">[]): Promise<Id<"grp">[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.tx.sql<{ id: Id<"grp"> }>(
    `WITH used AS MATERIALIZED (
       SELECT p.group_id AS id FROM policies p WHERE p.org_id = $1 AND p.deleted_at IS NULL
       UNION SELECT unnest(p.rule_group_ids) FROM policies p WHERE p.org_id = $1 AND p.deleted_at IS NULL
       UNION SELECT unnest(g.rule_group_ids) FROM policies p JOIN groups g ON g.org_id = p.org_id AND g.id = p.group_id WHERE p.org_id = $1 AND p.deleted_at IS NULL
     )
     SELECT id FROM used WHERE id = ANY($2::uuid[])`,
    [ctx.orgId, ids],
  );
  return rows.map(({ id }) => id);
}
