import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";

/** Each rule group evaluates everybody every five minutes. */
export const maxRuleGroups = 500;

/** @throws DomainError limit_reached if the organisation has the maximum number of rule groups */
export async function requireRoomForRule(ctx: TxCtx): Promise<void> {
  const [row] = await ctx.tx.sql<{ n: number }>(
    `SELECT count(*) AS n FROM groups WHERE org_id = $1 AND kind = 'rule'`,
    [ctx.orgId],
  );
  if (row!.n < maxRuleGroups) return;
  throw new DomainError(
    "limit_reached",
    `This organisation has ${maxRuleGroups} groups with a rule, as many as it may have. Delete one that is no longer needed, or join two rules with any.`,
  );
}
