import { standingOf } from "@/server/access/standing";
import type { TxCtx } from "@/server/core/context";
import { asBackground, sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { jobCommand } from "@/server/core/operation";
import { transaction } from "@/server/core/transaction";
import { RuleTooCostly } from "@/server/rules/rule-time";
import { grant } from "./grant";
import { plan } from "./plan";
import { remove } from "./remove";
import { retryDeadlock } from "./retry-deadlock";
import { fail, workColumns, type Phase, type RunMandate, type Work } from "./work";

/** A run that waits for a person at a connector looks again after this time. */
const waitMs = 60_000;

const phases: Record<Phase, typeof plan> = { planning: plan, removing: remove, granting: grant };

/**
 * Does the next step of the run whose turn it is, in one transaction with its progress: a worker that is killed leaves
 * all of the step or none, and another goes on. The lock of the run's row is the claim. Organisations take turns, step
 * by step. A step that lost a deadlock is done again, once, before it counts as failed.
 * @returns false where there is nothing to do
 */
export function runPolicyStep(now: Date): Promise<boolean> {
  return asBackground(() => step(now));
}

async function step(now: Date): Promise<boolean> {
  let work: Work | undefined;
  try {
    return await retryDeadlock(() =>
      transaction(async (tx) => {
        [work] = await tx.sql<Work>(claim, [new Date(now.getTime() - waitMs)]);
        if (!work) return false;
        await tx.sql(
          `UPDATE policy_runs SET started_at = coalesce(started_at, $3), served_at = $3 WHERE org_id = $1 AND id = $2`,
          [work.org_id, work.id, now],
        );
        await runNext(
          tx,
          {
            work,
            orgId: work.org_id,
            id: publicId("plr", work.id),
            actor: work.actor,
            accessToken: work.access_token ?? undefined,
            scopes: work.scopes,
            needs: work.approved ? "policies:approve" : "policies:apply",
          },
          now,
        );
        return true;
      }),
    );
  } catch (error) {
    if (work) await afterFailure(work, error, now);
    if (work && isFinal(error)) return true;
    throw error;
  }
}

const claim = `
SELECT ${workColumns} FROM policy_runs run WHERE (status = 'running' OR status = 'waiting' AND coalesce(served_at, '-infinity') <= $1)
AND NOT EXISTS (SELECT 1 FROM organisations o WHERE o.id = run.org_id AND o.suspended_at IS NOT NULL)
ORDER BY (SELECT max(served_at) FROM policy_runs other WHERE other.org_id = run.org_id) NULLS FIRST, served_at NULLS FIRST, created_at, id
LIMIT 1 FOR UPDATE OF run SKIP LOCKED`;

/** The next step of a run, or its end where who asked for it may no longer do this. */
const runNext = jobCommand<RunMandate, void>({
  name: "policies.run",
  standing: standingOf,
  run: (ctx, { work }) => stepOf(ctx, work),
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

/** Errors that another try does not mend: the run fails and says why. */
const isFinal = (error: unknown): error is DomainError | RuleTooCostly =>
  error instanceof DomainError || error instanceof RuleTooCostly;

async function afterFailure(work: Work, error: unknown, now: Date): Promise<void> {
  const { org_id: orgId, id } = work;
  // It had its turn: a step that cannot be done must not keep the others from theirs.
  if (!isFinal(error))
    return void (await sql(`UPDATE policy_runs SET served_at = $3 WHERE org_id = $1 AND id = $2`, [orgId, id, now]));
  const { code, message } =
    error instanceof DomainError
      ? error
      : { code: "rule_too_costly", message: "The rule costs too much: it could not be evaluated within its time." };
  const actor = { type: "job" as const, id: publicId("plr", id) };
  await transaction((tx) =>
    fail({ orgId, actor, scopes: new Set(), requestId: actor.id, now, tx }, work, code, message),
  );
}
