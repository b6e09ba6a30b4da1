import { standingOf } from "@/server/access/standing";
import { asBackground, sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { jobCommand } from "@/server/core/operation";
import { transaction } from "@/server/core/transaction";
import { apply } from "./apply";
import { clearNextRun } from "./clear";
import { finish } from "./finish";
import { plan } from "./plan";
import { remove } from "./remove";
import { stage } from "./stage";
import { giveUp, stopRun } from "./stop";
import { mandateOf, workColumns, type Phase, type RunMandate, type Work } from "./work";

/** The phases whose work is one transaction a step. */
type StepPhase = Exclude<Phase, "fetching" | "unpacking" | "clearing">;

const phases: Record<StepPhase, typeof stage> = {
  staging: stage,
  planning: plan,
  applying: apply,
  removing: remove,
  finishing: finish,
};

/** A step is begun so often before its run is given up: some 15 minutes, which outlast a short failure of the blob store. */
const maxAttempts = 10;

/**
 * Does the next step of the run whose turn it is, in one transaction with its progress: a worker that is killed leaves
 * all of the step or none, and another goes on. The lock of the run's row is the claim; the runs of one connector follow
 * one another. Organisations take turns, step by step. A step that failed is tried again at growing intervals. Where no
 * run is due, rows of cancelled ones are removed.
 * @returns false where there is nothing to do
 */
export function runConnectorStep(now: Date): Promise<boolean> {
  return asBackground(() => step(now));
}

async function step(now: Date): Promise<boolean> {
  // Committed by itself, so that a step that takes the process down with it is counted too, and has had its turn.
  const [due] = await sql<{ org_id: Id<"org">; id: Id<"run"> }>(begin, [now]);
  if (!due) return transaction(clearNextRun);
  return transaction(async (tx) => {
    const [work] = await tx.sql<Work>(claim, [due.org_id, due.id]);
    // Another worker was faster, or somebody cancelled the run.
    if (!work) return true;
    await tx.sql(
      `UPDATE connector_runs SET status = 'running', started_at = coalesce(started_at, $3), attempts = 0 WHERE org_id = $1 AND id = $2`,
      [work.org_id, work.id, now],
    );
    await runNext(tx, mandateOf(work), now);
    return true;
  });
}

const begin = `
UPDATE connector_runs SET attempts = attempts + 1, served_at = $1 WHERE (org_id, id) = (
  SELECT run.org_id, run.id FROM connector_runs run WHERE status IN ('queued', 'running') AND phase NOT IN ('fetching', 'unpacking')
  AND (attempts < 2 OR served_at <= $1::timestamptz - least(2 ^ attempts, 300) * interval '1 second')
  AND NOT EXISTS (SELECT 1 FROM organisations o WHERE o.id = run.org_id AND o.suspended_at IS NOT NULL)
  AND NOT EXISTS (
    SELECT 1 FROM connector_runs earlier
    WHERE earlier.org_id = run.org_id AND earlier.connector_id = run.connector_id AND earlier.id < run.id AND earlier.status IN ('queued', 'running'))
  ORDER BY (SELECT max(served_at) FROM connector_runs other WHERE other.org_id = run.org_id) NULLS FIRST, served_at NULLS FIRST, created_at, id
  LIMIT 1 FOR UPDATE OF run SKIP LOCKED)
RETURNING org_id, id`;

const claim = `SELECT ${workColumns} FROM connector_runs WHERE org_id = $1 AND id = $2 AND status IN ('queued', 'running') AND phase NOT IN ('fetching', 'unpacking') FOR UPDATE SKIP LOCKED`;

/** The next step of a run, or its end where who asked for it may no longer do this. Leaves an audit entry in that case. */
const runNext = jobCommand<RunMandate, void>({
  name: "connectors.run",
  standing: standingOf,
  run: (ctx, { work }) =>
    work.attempts > maxAttempts ? giveUp(ctx, work, maxAttempts) : phases[work.phase as StepPhase](ctx, work),
  stop: (ctx, { work }, why) => stopRun(ctx, work, why),
});
