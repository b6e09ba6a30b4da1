import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { regionOf } from "@/server/organisations/region";
import { RuleTooCostly, withinRuleTime } from "@/server/rules/rule-time";
import type { PolicyConfig } from "./config";
import { PolicySql, sent } from "./plan/people";
import { policySchema } from "./view";

/** A policy as it was saved, with the number of people who match. */
export const savedPolicySchema = policySchema
  .extend({
    matches: z.int().nullable().meta({
      description:
        "How many active people match the rule or are in the group now, exceptions aside. null where neither was sent, or counting took longer than a rule has; a preview has more time.",
    }),
  })
  .meta({ id: "SavedPolicy" });

/**
 * Counts the people who match a policy now (contract section 12); null if that takes too long for the request that
 * saves the policy.
 */
export async function countMatches(ctx: TxCtx, policyId: Id<"pol">, config: PolicyConfig): Promise<number | null> {
  const { timeZone } = await regionOf(ctx.tx.sql, ctx.orgId);
  const plan = new PolicySql(ctx.orgId, policyId, config, { now: ctx.now, timeZone });
  const text = `SELECT count(*) AS n FROM subjects s WHERE s.org_id = $1 AND ${plan.matches()}`;
  try {
    // In a savepoint: a statement that runs out of time must not undo what is saved.
    const [row] = await ctx.tx.savepoint(() =>
      withinRuleTime(ctx.tx, () => ctx.tx.sql<{ n: number }>(text, ...sent(plan))),
    );
    return row!.n;
  } catch (error) {
    if (error instanceof RuleTooCostly) return null;
    throw error;
  }
}
