import type { TxCtx } from "@/server/core/context";
import type { Query } from "@/server/core/db";
import { opaque } from "@/server/core/opaque";
import { sent, type PolicySql } from "../plan/people";
import type { Counts } from "../run-view";
import type { Work } from "./work";

/**
 * Deletes the grace of people who match again, so that they have the full grace if they leave once more. A halted run
 * does this too: it changes no credential, and a policy can stay halted for longer than the grace.
 */
export async function forgetLapses(
  ctx: TxCtx,
  { policy_id }: Pick<Work, "policy_id">,
  fresh: () => PolicySql,
): Promise<void> {
  const plan = fresh();
  const policy = plan.parameter(policy_id);
  const isWanted = plan.wanted();
  await ctx.tx.sql(
    `DELETE FROM policy_lapses l WHERE l.org_id = $1 AND l.policy_id = ${policy}::uuid
       AND (SELECT ${isWanted} FROM subjects s WHERE s.org_id = ${opaque("$1")} AND s.id = l.subject_id OFFSET 0)`,
    ...sent(plan),
  );
}

/**
 * Records the people whose grace begins, and removes those who match again.
 * @returns how many people are then in grace
 */
export async function beginGrace(ctx: TxCtx, work: Work, fresh: () => PolicySql): Promise<Counts> {
  const { config, policy_id } = work;
  if (config.graceDays === 0) {
    await ctx.tx.sql(`DELETE FROM policy_lapses WHERE org_id = $1 AND policy_id = $2`, [ctx.orgId, policy_id]);
    return {};
  }
  await forgetLapses(ctx, work, fresh);
  const gone = fresh();
  const since = gone.parameter(gone.clock.now);
  const of = gone.parameter(policy_id);
  const exits = gone.exits({ grace: false });
  await ctx.tx.sql(
    `INSERT INTO policy_lapses (org_id, policy_id, subject_id, since) SELECT $1, ${of}::uuid, subject_id, ${since}::timestamptz FROM (${exits}) ended ON CONFLICT DO NOTHING`,
    ...sent(gone),
  );
  return countGrace(ctx.tx.sql, fresh());
}

/** Counts the people who keep their credential only during their days of grace. */
export async function countGrace(sql: Query, plan: PolicySql): Promise<Counts> {
  if (plan.config.graceDays === 0) return {};
  const graces = plan.graces();
  const [row] = await sql<{ n: number }>(`SELECT count(*) AS n FROM (${graces}) graced`, ...sent(plan));
  return row!.n > 0 ? { grace: row!.n } : {};
}
