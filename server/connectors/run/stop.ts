import { audit } from "@/server/access/audit";
import { noteStoppedJob } from "@/server/access/note-refusal";
import type { TxCtx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { gaveUp } from "@/server/core/run-steps";
import { endRuns } from "../end-runs";
import type { RunError } from "../run-view";
import type { Work } from "./work";

/** Ends a run whose actor has lost the required access. Leaves an audit entry. */
export async function stopRun(ctx: TxCtx, work: Work, why: string): Promise<void> {
  const error: RunError = { code: "job_stopped", message: why, line: null };
  await endRuns(ctx, [work.id], { status: "failed", error });
  noteStoppedJob(ctx, { actor: work.actor, job: publicId("run", work.id) });
  await audit(
    ctx,
    "connector_run.stopped",
    { type: "connector_run", id: publicId("run", work.id) },
    { reason: why, askedBy: { ...work.actor }, phase: work.phase },
  );
}

/** Ends a run whose step failed too often. Leaves an audit entry. */
export async function giveUp(ctx: TxCtx, work: Work, attempts: number): Promise<void> {
  const error: RunError = { code: "step_failed", message: gaveUp(attempts), line: null };
  await endRuns(ctx, [work.id], { status: "failed", error });
  await audit(
    ctx,
    "connector_run.failed",
    { type: "connector_run", id: publicId("run", work.id) },
    { connectorId: publicId("con", work.connector_id), phase: work.phase, code: error.code },
  );
}
