import { standingOf } from "@/server/access/standing";
import { asBackground } from "@/server/core/db";
import { jobCommand } from "@/server/core/operation";
import { retryDeadlock } from "@/server/core/retry-deadlock";
import { maxAttempts, RunSteps } from "@/server/core/run-steps";
import { transaction } from "@/server/core/transaction";
import { apply } from "./apply";
import { fallBackFromDeleted } from "../fall-back-from-deleted";
import { clearNextRun } from "./clear";
import { finish } from "./finish";
import { group } from "./group";
import { plan } from "./plan";
import { remove } from "./remove";
import { stage } from "./stage";
import { giveUp, stopRun } from "./stop";
import { undo } from "./undo";
import { asRun, mandateOf, workColumns, type Phase, type RunMandate, type Work } from "./work";

/** The phases in which each step is one transaction. */
type StepPhase = Exclude<Phase, "fetching" | "unpacking" | "clearing">;

/** Runs a phase that changes people and groups with the run as the actor. */
const changing =
  (phase: typeof apply): typeof apply =>
  (ctx, work) =>
    phase(asRun(ctx, work), work);

const phases: Record<StepPhase, typeof stage> = {
  staging: stage,
  planning: plan,
  applying: changing(apply),
  grouping: changing(group),
  removing: changing(remove),
  undoing: changing(undo),
  finishing: finish,
};

/** The queue of runs. Runs of one connector are done one after another. */
const steps = new RunSteps<Work>({
  table: "connector_runs",
  columns: workColumns,
  due: `run.status IN ('queued', 'running') AND run.phase NOT IN ('fetching', 'unpacking') AND NOT EXISTS (
    SELECT 1 FROM connector_runs earlier
    WHERE earlier.org_id = run.org_id AND earlier.connector_id = run.connector_id AND earlier.id < run.id AND earlier.status IN ('queued', 'running'))`,
  open: `status IN ('queued', 'running') AND phase NOT IN ('fetching', 'unpacking')`,
  begun: `, status = 'running'`,
});

/**
 * Does the next step of the run whose turn it is (server/core/run-steps.ts). A step that lost a deadlock is repeated. If
 * no run is due, deletes staged rows of ended runs, and gives people of deleted connectors the values of other
 * directories.
 * @returns false if there is nothing to do
 */
export function runConnectorStep(now: Date): Promise<boolean> {
  return asBackground(async () => {
    const turn = await steps.begin(now);
    if (!turn) return (await transaction(clearNextRun)) || fallBackFromDeleted(now);
    await retryDeadlock(() => steps.step(turn, now, (tx, work) => runNext(tx, mandateOf(work), now)));
    return true;
  });
}

/** Does the next step of a run. If its actor has lost the required access, ends the run and leaves an audit entry. */
const runNext = jobCommand<RunMandate, void>({
  name: "connectors.run",
  standing: standingOf,
  run: (ctx, { work }) =>
    work.attempts > maxAttempts ? giveUp(ctx, work, maxAttempts) : phases[work.phase as StepPhase](ctx, work),
  stop: (ctx, { work }, why) => stopRun(ctx, work, why),
});
