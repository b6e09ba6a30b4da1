import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { refuseCostly, withinRuleTime } from "@/server/rules/rule-time";
import { planHashInput } from "./apply";
import { configOf, isSameConfig } from "./config";
import { loadPolicy } from "./load";
import { sent } from "./plan/people";
import { planHash, type Removal } from "./plan/plan-hash";
import { unfinishedRun } from "./run/unfinished-run";
import { beginGrace } from "./run/lapses";
import { planChanged } from "./run/plan";
import { runWithin } from "./run/run-within";
import { planMs, planOf, workColumns, type Work } from "./run/work";
import { loadRun, runColumns, runView, type RunRow } from "./run-view";

/** How long a plan can be approved: people change, so an older plan is made anew. */
const openMs = 24 * 60 * 60_000;

/**
 * Approves a halted run's plan: carries out those of its removals that are still due, and today's issues. Refused if
 * the run would now end a credential outside of the plan, if the policy has changed since, and after 24 hours; apply
 * the policy again then. Leaves an audit entry.
 *
 * @throws DomainError plan_changed, run_state, run_in_progress, policy_paused
 */
export const approvePolicyRun = command({
  name: "policies.runs.approve",
  scope: "policies:approve",
  input: z.strictObject({ id: id("pol"), run: id("plr"), planHash: planHashInput }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id, "FOR UPDATE");
    const run = await present(ctx, policy.id, await loadRun(ctx, policy.id, input.run, "FOR UPDATE"), input.planHash);
    if (run.status !== "halted")
      throw new DomainError("run_state", `The run is ${run.status}. Only a run that is halted waits for an approval.`);
    if (policy.status === "paused")
      throw new DomainError("policy_paused", "The policy is paused and is not applied. Resume it first.");
    if (!isOpen(run, ctx.now))
      throw new DomainError(
        "run_state",
        "The run was halted more than 24 hours ago. Apply the policy again to see what it would do now.",
      );
    await requireIdle(ctx, policy.id);
    const [work] = await ctx.tx.sql<Work>(`SELECT ${workColumns} FROM policy_runs WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      run.id,
    ]);
    if (!isSameConfig(work!.config, configOf(policy)))
      throw new DomainError(
        "plan_changed",
        "The policy was changed since the run was halted. Apply it again, and approve the run of that.",
      );
    if (input.planHash !== run.plan_hash) throw planChanged(run.plan_hash!);
    await requireFinishedFeeds(ctx, work!).catch(refuseCostly);
    await requireCovered(ctx, work!).catch(refuseCostly);
    const [begun] = await ctx.tx.sql<Work>(
      `UPDATE policy_runs SET status = 'running', phase = 'removing', approved = true, counts = '{}', finished_at = NULL, evaluated_at = $3, actor = $4, scopes = $5, access_token = $6
       WHERE org_id = $1 AND id = $2 RETURNING ${workColumns}`,
      [ctx.orgId, run.id, ctx.now, ctx.actor, [...ctx.scopes], ctx.accessToken ?? null],
    );
    const counts = await beginGrace(ctx, begun!, await planOf(ctx, begun!, ctx.now));
    await ctx.tx.sql(`UPDATE policy_runs SET counts = $3 WHERE org_id = $1 AND id = $2`, [ctx.orgId, run.id, counts]);
    await audit(
      ctx,
      "policy_run.approved",
      { type: "policy_run", id: publicId("plr", run.id) },
      { policyId: publicId("pol", policy.id), affected: run.halt!.affected, reason: run.halt!.reason },
    );
    ctx.tx.nudgeAfterCommit("policies");
    return runView(await runWithin(ctx, run.id).catch(refuseCostly));
  },
});

/**
 * Returns the waiting run with the same plan as a run that a newer one has replaced. A person who reads the names of a
 * plan approves that plan, and a scheduled run with the same plan does not invalidate their approval
 * (docs/decisions/550).
 */
async function present(ctx: TxCtx, policyId: Id<"pol">, run: RunRow, planHash: string): Promise<RunRow> {
  if (run.status !== "discarded" || run.plan_hash !== planHash || !isOpen(run, ctx.now)) return run;
  const [same] = await ctx.tx.sql<RunRow>(
    `SELECT ${runColumns} FROM policy_runs WHERE org_id = $1 AND policy_id = $2 AND status = 'halted' AND plan_hash = $3 FOR UPDATE`,
    [ctx.orgId, policyId, planHash],
  );
  return same ?? run;
}

const isOpen = ({ finished_at }: RunRow, now: Date): boolean => finished_at!.getTime() + openMs > now.getTime();

/**
 * Refuses the approval while a connector's run with people of the policy is held or partly applied, because a run would
 * wait for it.
 */
async function requireFinishedFeeds(ctx: TxCtx, work: Work): Promise<void> {
  const fresh = await planOf(ctx, work, ctx.now);
  const unfinished = await withinRuleTime(ctx.tx, () => unfinishedRun(ctx, work.policy_id, fresh), planMs);
  if (unfinished)
    throw new DomainError(
      "run_state",
      "A file of a connector with people of this policy waits for an approval, or is being applied. Approve or cancel that file, or wait until it is applied.",
      { members: { waitsFor: publicId("run", unfinished) } },
    );
}

/** Refuses the approval while another run is under way or waits for a connector, because that run makes a new plan. */
async function requireIdle(ctx: TxCtx, policyId: Id<"pol">): Promise<void> {
  const [other] = await ctx.tx.sql(
    `SELECT id FROM policy_runs WHERE org_id = $1 AND policy_id = $2 AND status IN ('running', 'waiting')`,
    [ctx.orgId, policyId],
  );
  if (other)
    throw new DomainError(
      "run_in_progress",
      "Another run of this policy is under way. Wait until it has ended, or pause the policy.",
    );
}

/** Refuses an outdated plan: a person whom it does not name would lose their credential too. */
async function requireCovered(ctx: TxCtx, work: Work): Promise<void> {
  const plan = (await planOf(ctx, work, ctx.now))();
  const exits = plan.exits();
  const run = plan.parameter(work.id);
  const due = await withinRuleTime(
    ctx.tx,
    () =>
      ctx.tx.sql<Removal & { staged: boolean }>(
        `SELECT ended.credential_id, ended.action, EXISTS (
           SELECT FROM policy_removals r WHERE r.org_id = $1 AND r.run_id = ${run}::uuid AND r.subject_id = ended.subject_id AND r.credential_id = ended.credential_id AND r.state = 'staged' OFFSET 0
         ) AS staged FROM (${exits}) ended`,
        ...sent(plan),
      ),
    planMs,
  );
  if (due.some(({ staged }) => !staged)) throw planChanged(planHash(work.config, due));
}
