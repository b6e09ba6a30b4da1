import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { configOf, isSameConfig } from "../config";
import { loadPolicy } from "../load";
import { withinRuleTime } from "@/server/rules/rule-time";
import { outcomesOf } from "../plan/outcomes";
import { changedSinceConfirmed, haltOf, radiusOf } from "../plan/halt";
import { covers, isOfPolicy, isUnlisted, listed, planHash, type Removal } from "../plan/plan-hash";
import { sent, type PolicySql } from "../plan/people";
import { unfinishedRun } from "./unfinished-run";
import { beginGrace, forgetLapses } from "./lapses";
import { discardHalted, end, planMs, planOf, type Work } from "./work";

/**
 * Stages the credentials that the run will end, before it changes any, and decides whether the run needs an approval
 * (contract section 12). A run waits while a connector's run with its people is held or half applied.
 * @throws DomainError plan_changed if the policy was changed since, or would end a credential that the caller's planHash
 *   does not cover. A run that has waited is halted instead in the second case: its request was answered long ago.
 */
export async function plan(ctx: TxCtx, queued: Work): Promise<void> {
  const work = queued.waits_for === null ? queued : await withPresentPolicy(ctx, queued);
  const fresh = await planOf(ctx, work, ctx.now);
  const unfinished = await withinRuleTime(ctx.tx, () => unfinishedRun(ctx, work.policy_id, fresh), planMs);
  if (unfinished) {
    if (work.expected !== null && !isOfPolicy(work.expected, work.config)) throw await policyChanged(ctx, work);
    await ctx.tx.sql(`UPDATE policy_runs SET status = 'waiting', waits_for = $3 WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      work.id,
      unfinished,
    ]);
    return;
  }
  // This run makes a new plan, so the plan of an older run can no longer be approved.
  await discardHalted(ctx, work.policy_id);
  await withinRuleTime(ctx.tx, () => decide(ctx, work, fresh), planMs);
}

/**
 * Gives a waiting run the present policy: days may have passed since the request, and a registrar who corrected the
 * rule meanwhile must not see the old rule carried out (docs/decisions/550).
 *
 * @throws DomainError plan_changed if the caller confirmed a plan of the former policy
 */
async function withPresentPolicy(ctx: TxCtx, work: Work): Promise<Work> {
  const config = configOf(await loadPolicy(ctx, work.policy_id));
  if (isSameConfig(work.config, config)) return work;
  if (work.expected !== null)
    throw new DomainError(
      "plan_changed",
      "The policy was changed while this run waited for a file. Nothing was done. Look at the preview again, and apply the policy.",
    );
  await ctx.tx.sql(`UPDATE policy_runs SET config = $3 WHERE org_id = $1 AND id = $2`, [ctx.orgId, work.id, config]);
  return { ...work, config };
}

async function decide(ctx: TxCtx, work: Work, fresh: () => PolicySql): Promise<void> {
  const removals = await stage(ctx, work, fresh());
  const hash = planHash(work.config, removals);
  const isCovered = work.expected === null || covers(work.expected, work.config, removals);
  if (!isCovered && work.waits_for === null)
    throw isUnlisted(work.expected!, work.config) ? largePlanChanged(hash) : planChanged(hash);
  const { sql } = ctx.tx;
  await forgetLapses(ctx, work, fresh);
  const counted = await radiusOf(sql, fresh(), removals);
  const halt =
    (await haltOf(sql, fresh, removals.length, counted)) ??
    (isCovered ? null : await changedSinceConfirmed(sql, fresh, removals.length, counted.radius));
  const counts = halt ? (await outcomesOf(ctx.tx, fresh())).counts : await beginGrace(ctx, work, fresh);
  await sql(
    `UPDATE policy_runs SET status = 'running', phase = 'removing', waits_for = NULL, plan_hash = $3, halt = $4, counts = $5, evaluated_at = $6 WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, work.id, hash, halt, counts, ctx.now],
  );
  if (halt) await end(ctx, work, "halted", "halted");
}

/** The refusal of an outdated plan, with the hash of the current one. */
async function policyChanged(ctx: TxCtx, work: Work): Promise<DomainError> {
  const plan = (await planOf(ctx, work, ctx.now))();
  const exits = plan.exits();
  const removals = await withinRuleTime(
    ctx.tx,
    () => ctx.tx.sql<Removal>(`SELECT credential_id, action FROM (${exits}) ended`, ...sent(plan)),
    planMs,
  );
  return planChanged(planHash(work.config, removals));
}

async function stage(ctx: TxCtx, work: Work, plan: PolicySql): Promise<Removal[]> {
  const run = plan.parameter(work.id);
  const exits = plan.exits();
  const staged = await ctx.tx.sql<Removal>(
    `INSERT INTO policy_removals (org_id, run_id, policy_id, subject_id, credential_id, action)
     SELECT $1, ${run}::uuid, ${plan.parameter(work.policy_id)}::uuid, subject_id, credential_id, action FROM (${exits}) ended
     RETURNING credential_id, action`,
    ...sent(plan),
  );
  ctx.tx.wrote("policy_removals", staged.length);
  return staged;
}

export const planChanged = (now: string) =>
  new DomainError(
    "plan_changed",
    "The policy was changed since, or it would end credentials that the plan of this planHash does not. Nothing was done. Look at the preview again, and send its planHash.",
    { members: { planHash: now } },
  );

/** The refusal of a plan that may only have become smaller (docs/decisions/380). */
const largePlanChanged = (now: string) =>
  new DomainError(
    "plan_changed",
    `The policy would now end other credentials, or fewer, than the plan of this planHash. A plan with more than ${listed} removals is applied only if they are exactly the same. Nothing was done. Look at the preview again, and send its planHash.`,
    { members: { planHash: now } },
  );
