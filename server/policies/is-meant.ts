import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { regionOf } from "@/server/organisations/region";
import { withinRuleTime } from "@/server/rules/rule-time";
import { configOf } from "./config";
import { PolicySql, sent } from "./plan/people";
import { policyColumns, type PolicyRow } from "./view";

/** Returns whether a person should hold a policy's credential; false for a deleted policy. */
export async function isMeant(ctx: TxCtx, policyId: Id<"pol">, subjectId: Id<"sub">): Promise<boolean> {
  const [policy] = await ctx.tx.sql<PolicyRow>(
    `SELECT ${policyColumns} FROM policies WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [ctx.orgId, policyId],
  );
  if (!policy) return false;
  const { timeZone } = await regionOf(ctx.tx.sql, ctx.orgId);
  const plan = new PolicySql(ctx.orgId, policyId, configOf(policy), { now: ctx.now, timeZone });
  const text = `SELECT 1 FROM subjects s WHERE s.org_id = $1 AND s.id = ${plan.parameter(subjectId)}::uuid AND ${plan.wanted()}`;
  return (await withinRuleTime(ctx.tx, () => ctx.tx.sql(text, ...sent(plan)))).length > 0;
}
