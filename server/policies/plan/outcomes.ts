import type { Id } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";
import type { Action, Counts } from "../run-view";
import type { Removal } from "./plan-hash";
import { sent, type PolicySql } from "./people";

/** What a policy would do in the whole organisation: how many people each action concerns, and what it would end. */
export interface Outcomes {
  counts: Counts;
  removals: Removal[];
}

/**
 * The settings against plans that PostgreSQL would choose without statistics of the organisation: a nested loop over a
 * million people, and a sort of all of them to count a handful of actions.
 */
const avoided = ["enable_nestloop", "enable_sort"];

/** Reads the outcomes of a policy in one statement over everybody. */
export async function outcomesOf(tx: Tx, plan: PolicySql): Promise<Outcomes> {
  const text = plan.outcomes();
  for (const way of avoided) tx.send(`SET LOCAL ${way} = off`);
  const rows = await tx.sql<{ action: Action; n: number; ended: Id<"crd">[] | null }>(text, ...sent(plan));
  for (const way of avoided) tx.send(`SET LOCAL ${way} TO DEFAULT`);
  return {
    counts: Object.fromEntries(rows.map(({ action, n }) => [action, n])),
    removals: rows.flatMap(({ action, ended }) => (ended ?? []).map((credential_id) => ({ credential_id, action }))),
  };
}
