import type { TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { RuleTooCostly } from "@/server/rules/rule-time";
import { evaluateNextWindow } from "./evaluate";

/** The age of an evaluation at which the next one begins. */
const everyMs = 5 * 60_000;

/** The delay before the first retry of a failed evaluation; each further delay is twice as long, up to the maximum. */
const retry = { firstMs: 5 * 60_000, lastMs: 24 * 60 * 60_000 };

/**
 * Evaluates one window of the next due rule group. Organisations take turns, window by window. Within an organisation,
 * groups with a new rule come first, then the group that was evaluated longest ago, if that was five minutes ago. After
 * a kill at any moment, the next call continues with the unfinished window. A failing group is postponed with the
 * reason, so that no other group waits for it (decision 366).
 *
 * @returns whether a group was due
 * @throws FailedEvaluation for any failure except a rule that costs too much, which its organisation has to solve
 */
export async function evaluateDueRuleGroup(now: Date): Promise<boolean> {
  const [due] = await sql<{ org_id: Id<"org">; id: Id<"grp"> }>(
    `SELECT g.org_id, g.id FROM groups g
     JOIN (SELECT org_id, max(served_at) AS served_at FROM groups WHERE kind = 'rule' GROUP BY org_id) turn ON turn.org_id = g.org_id
     WHERE g.kind = 'rule' AND coalesce(g.evaluated_at, '-infinity') <= $1 AND (g.retry_at IS NULL OR g.retry_at <= $2)
       AND NOT EXISTS (SELECT FROM organisations o WHERE o.id = g.org_id AND o.suspended_at IS NOT NULL)
     ORDER BY turn.served_at NULLS FIRST, coalesce(g.evaluated_at, '-infinity'), g.id LIMIT 1`,
    [new Date(now.getTime() - everyMs), now],
  );
  if (!due) return false;
  try {
    await transaction((tx) => evaluateNextWindow(contextOf(tx, due.org_id, now), due.id));
  } catch (error) {
    const isCostly = error instanceof RuleTooCostly;
    await sql(putOff, [due.org_id, due.id, now, isCostly ? "too_costly" : "failed", retry.firstMs, retry.lastMs]);
    if (!isCostly) throw new FailedEvaluation(error);
  }
  return true;
}

const putOff = `UPDATE groups SET served_at = $3, evaluation_problem = $4, evaluation_failures = evaluation_failures + 1,
  retry_at = $3::timestamptz + least($5 * power(2, least(evaluation_failures, 20)), $6) * interval '1 ms'
  WHERE org_id = $1 AND id = $2`;

/** Records that a rule group could not be evaluated. */
export class FailedEvaluation extends Error {
  override readonly name = "FailedEvaluation";
  constructor(cause: unknown) {
    super("a rule group could not be evaluated", { cause });
  }
}

function contextOf(tx: TxCtx["tx"], orgId: Id<"org">, now: Date): TxCtx {
  return { orgId, actor: { type: "job", id: "rule_groups" }, scopes: new Set(), requestId: "rule_groups", now, tx };
}
