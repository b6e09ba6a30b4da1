import { standingOf } from "@/server/access/standing";
import type { TxCtx } from "@/server/core/context";
import { asBackground } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { jobCommand } from "@/server/core/operation";
import { gaveUp, maxAttempts, RunSteps } from "@/server/core/run-steps";
import { transaction } from "@/server/core/transaction";
import { RuleTooCostly } from "@/server/rules/rule-time";
import { grant } from "./grant";
import { plan } from "./plan";
import { remove } from "./remove";
import { retryDeadlock } from "@/server/core/retry-deadlock";
import { fail, workColumns, type Phase, type RunMandate, type Work } from "./work";

const phases: Record<Phase, typeof plan> = { planning: plan, removing: remove, granting: grant };

/**
 * SQL: when a run that waits for a connector's run checks again: once that run has ended, else every minute, because
 * the policy may no longer concern its people.
 */
const looksAgain = `run.status = 'waiting' AND (coalesce(run.served_at, '-infinity') <= $1::timestamptz - interval '1 minute'
  OR NOT EXISTS (SELECT FROM connector_runs waited WHERE waited.org_id = run.org_id AND waited.id = run.waits_for AND waited.status IN ('held', 'queued', 'running')))`;

const steps = new RunSteps<Work>({
  table: "policy_runs",
  columns: workColumns,
  due: `(run.status = 'running' OR ${looksAgain})`,
  open: `status IN ('running', 'waiting')`,
});

/**
 * Does the next step of the run whose turn it is (server/core/run-steps.ts). A step that lost a deadlock is
 * repeated once before it counts as failed. A permanent error fails the run at once.
 * @returns false if there is nothing to do
 */
export function runPolicyStep(now: Date): Promise<boolean> {
  return asBackground(async () => {
    const turn = await steps.begin(now);
    if (!turn) return false;
    let work: Work | undefined;
    try {
      await retryDeadlock(() =>
        steps.step(turn, now, (tx, run) => {
          work = run;
          return runNext(tx, mandateOf(run), now);
        }),
      );
    } catch (error) {
      if (!work || !isFinal(error)) throw error;
      await failFor(work, error, now);
    }
    return true;
  });
}

const mandateOf = (work: Work): RunMandate => ({
  work,
  orgId: work.org_id,
  id: publicId("plr", work.id),
  actor: work.actor,
  accessToken: work.access_token ?? undefined,
  scopes: work.scopes,
  needs: work.approved ? "policies:approve" : "policies:apply",
});

/** Does the next step of a run, or ends it if its actor has lost the right to it. */
const runNext = jobCommand<RunMandate, void>({
  name: "policies.run",
  standing: standingOf,
  run: (ctx, { work }) =>
    work.attempts > maxAttempts ? fail(ctx, work, "step_failed", gaveUp(maxAttempts)) : stepOf(ctx, work),
  stop: (ctx, { work }, why) => fail(ctx, work, "job_stopped", why),
});

/** Does the next step, unless the policy was paused or deleted since. */
export async function stepOf(ctx: TxCtx, work: Work): Promise<void> {
  const [policy] = await ctx.tx.sql<{ paused: boolean }>(
    `SELECT status = 'paused' AS paused FROM policies WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE`,
    [ctx.orgId, work.policy_id],
  );
  if (!policy) return fail(ctx, work, "not_found", "The policy was deleted. What the run had done stays.");
  if (policy.paused) return fail(ctx, work, "policy_paused", "The policy was paused. What the run had done stays.");
  return phases[work.phase](ctx, work);
}

/** Permanent errors: the run fails with their message. */
const isFinal = (error: unknown): error is DomainError | RuleTooCostly =>
  error instanceof DomainError || error instanceof RuleTooCostly;

async function failFor(work: Work, error: DomainError | RuleTooCostly, now: Date): Promise<void> {
  const { code, message } =
    error instanceof DomainError
      ? error
      : { code: "rule_too_costly", message: "The rule costs too much: it could not be evaluated within its time." };
  const actor = { type: "job" as const, id: publicId("plr", work.id) };
  await transaction((tx) =>
    fail({ orgId: work.org_id, actor, scopes: new Set(), requestId: actor.id, now, tx }, work, code, message),
  );
}
