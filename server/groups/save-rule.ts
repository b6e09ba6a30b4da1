import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { refuseCostly } from "@/server/rules/rule-time";
import { evaluateNextWindow } from "./evaluate";

/**
 * Evaluates a rule that was just saved: at once for up to 20,000 people. In a larger organisation the job continues
 * after the commit (inngest/evaluate-rule-groups.ts), and `evaluatedAt` is null until it is done.
 */
export async function evaluateSavedRule(ctx: TxCtx, groupId: Id<"grp">): Promise<void> {
  if (!(await evaluateNextWindow(ctx, groupId).catch(refuseCostly))) ctx.tx.nudgeAfterCommit("groups");
}
