import { lastActor } from "@/server/access/last-actor";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import type { RunRow, RunStatus } from "./run-view";

/**
 * The error for approving a run that is not held. Names who approved or cancelled it, unless a newer file replaced the run.
 */
export async function notHeld(
  ctx: TxCtx,
  { id, status, error }: Pick<RunRow, "id" | "status" | "error">,
): Promise<DomainError> {
  if (error?.code === "superseded")
    return new DomainError(
      "run_state",
      "A newer file replaced this one meanwhile. It determines who is missing, so this run no longer waits for approval.",
      { members: { runStatus: status, decidedBy: null } },
    );
  const action = status === "cancelled" ? "connector_run.cancelled" : "connector_run.approved";
  const decidedBy = await lastActor(ctx, publicId("run", id), action);
  return new DomainError("run_state", `The run is ${status}. Only a held run can be approved.`, {
    members: { runStatus: status, decidedBy: decidedBy && { ...decidedBy } },
  });
}

/** The error for cancelling a run that is over. */
export const isOver = (status: RunStatus) =>
  new DomainError("run_state", `The run is ${status}; there is nothing left to cancel.`);
