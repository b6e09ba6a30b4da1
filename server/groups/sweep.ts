import type { TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { evaluateNextWindow } from "./evaluate";

/** How old an evaluation may become before the next begins. */
const everyMs = 5 * 60_000;

/**
 * Evaluates one window of the rule group whose turn it is: of all organisations the one that was evaluated longest ago,
 * if that is five minutes. A group whose rule is new comes first. Killed at any moment, the next call goes on with the
 * window that was under way.
 * @param failed evaluations of this run: other groups must not wait for these
 * @returns whether a group was due
 */
export async function evaluateDueRuleGroup(now: Date, failed: FailedEvaluation[] = []): Promise<boolean> {
  const [due] = await sql<{ org_id: Id<"org">; id: Id<"grp"> }>(
    `SELECT g.org_id, g.id FROM groups g
     WHERE g.kind = 'rule' AND coalesce(g.evaluated_at, '-infinity') <= $1 AND g.id <> ALL($2::uuid[])
       AND NOT EXISTS (SELECT FROM organisations o WHERE o.id = g.org_id AND o.suspended_at IS NOT NULL)
     ORDER BY coalesce(g.evaluated_at, '-infinity') LIMIT 1`,
    [new Date(now.getTime() - everyMs), failed.map(({ groupId }) => groupId)],
  );
  if (!due) return false;
  try {
    await transaction((tx) => evaluateNextWindow(contextOf(tx, due.org_id, now), due.id));
  } catch (error) {
    throw new FailedEvaluation(due.id, error);
  }
  return true;
}

/** Says which group could not be evaluated. */
export class FailedEvaluation extends Error {
  override readonly name = "FailedEvaluation";
  constructor(
    readonly groupId: Id<"grp">,
    cause: unknown,
  ) {
    super("a rule group could not be evaluated", { cause });
  }
}

function contextOf(tx: TxCtx["tx"], orgId: Id<"org">, now: Date): TxCtx {
  return { orgId, actor: { type: "job", id: "rule_groups" }, scopes: new Set(), requestId: "rule_groups", now, tx };
}
