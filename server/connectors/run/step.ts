import { audit } from "@/server/access/audit";
import { standingOf } from "@/server/access/standing";
import { asBackground, sql } from "@/server/core/db";
import { publicId } from "@/server/core/ids";
import { jobCommand } from "@/server/core/operation";
import { transaction } from "@/server/core/transaction";
import { endRuns } from "../end-runs";
import type { RunError } from "../run-view";
import { apply } from "./apply";
import { clearNextRun } from "./clear";
import { finish } from "./finish";
import { plan } from "./plan";
import { remove } from "./remove";
import { stage } from "./stage";
import { workColumns, type Phase, type RunMandate, type Work } from "./work";

const phases: Record<Exclude<Phase, "clearing">, typeof stage> = {
  staging: stage,
  planning: plan,
  applying: apply,
  removing: remove,
  finishing: finish,
};

/**
 * Does the next step of the run whose turn it is, in one transaction with its progress: a worker that is killed leaves
 * all of the step or none, and another goes on. The lock of the run's row is the claim; the runs of one connector follow
 * one another. Organisations take turns, step by step. Where no run is due, rows of cancelled ones are removed.
 * @returns false where there is nothing to do
 */
export function runConnectorStep(now: Date): Promise<boolean> {
  return asBackground(() => step(now));
}

async function step(now: Date): Promise<boolean> {
  let work: Work | undefined;
  try {
    return await transaction(async (tx) => {
      [work] = await tx.sql<Work>(claim);
      if (!work) return clearNextRun(tx);
      await tx.sql(
        `UPDATE connector_runs SET status = 'running', started_at = coalesce(started_at, $3), served_at = $3 WHERE org_id = $1 AND id = $2`,
        [work.org_id, work.id, now],
      );
      await runNext(
        tx,
        {
          work,
          orgId: work.org_id,
          id: publicId("run", work.id),
          actor: work.actor,
          scopes: work.scopes,
          needs: work.approved ? "connectors:approve" : "connectors:run",
        },
        now,
      );
      return true;
    });
  } catch (error) {
    // It had its turn: a step that cannot be done must not keep the others from theirs.
    if (work)
      await sql(`UPDATE connector_runs SET served_at = $3 WHERE org_id = $1 AND id = $2`, [work.org_id, work.id, now]);
    throw error;
  }
}

const claim = `
SELECT ${workColumns} FROM connector_runs run WHERE status IN ('queued', 'running')
AND NOT EXISTS (SELECT 1 FROM organisations o WHERE o.id = run.org_id AND o.suspended_at IS NOT NULL)
AND NOT EXISTS (
  SELECT 1 FROM connector_runs earlier
  WHERE earlier.org_id = run.org_id AND earlier.connector_id = run.connector_id AND earlier.id < run.id AND earlier.status IN ('queued', 'running'))
ORDER BY (SELECT max(served_at) FROM connector_runs other WHERE other.org_id = run.org_id) NULLS FIRST, served_at NULLS FIRST, created_at, id
LIMIT 1 FOR UPDATE OF run SKIP LOCKED`;

/** The next step of a run, or its end where who asked for it may no longer do this. Leaves an audit entry in that case. */
const runNext = jobCommand<RunMandate, void>({
  name: "connectors.run",
  standing: standingOf,
  run: (ctx, { work }) => phases[work.phase](ctx, work),
  async stop(ctx, { work }, why) {
    const error: RunError = { code: "job_stopped", message: why, line: null };
    await endRuns(ctx, [work.id], { status: "failed", error });
    await audit(
      ctx,
      "connector_run.stopped",
      { type: "connector_run", id: publicId("run", work.id) },
      { reason: why, askedBy: { ...work.actor }, phase: work.phase },
    );
  },
});
