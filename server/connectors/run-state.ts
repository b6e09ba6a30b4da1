import { lastActor } from "@/server/access/last-actor";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import type { RunRow, RunStatus } from "./run-view";

/**
 * The refusal to approve a run that holds nothing. Tells who approved or cancelled it, if somebody did; of a run that a
 * newer file replaced, nobody did.
 */
export async function notHeld(
  ctx: TxCtx,
  { id, status, error }: Pick<RunRow, "id" | "status" | "error">,
): Promise<DomainError> {
  if (error?.code === "superseded")
    return new DomainError(
      "run_state",
      "A newer file was applied meanwhile. It says itself who is missing, so that this one waits for nobody any more.",
      { members: { runStatus: status, decidedBy: null } },
    );
  const action = status === "cancelled" ? "connector_run.cancelled" : "connector_run.approved";
  const decidedBy = await lastActor(ctx, publicId("run", id), action);
  return new DomainError("run_state", `The run is ${status}. Only a run that is held waits for an approval.`, {
    members: { runStatus: status, decidedBy: decidedBy && { ...decidedBy } },
  });
}

/** The refusal to cancel a run that is over. */
export const isOver = (status: RunStatus) =>
  new DomainError("run_state", `The run is ${status}; there is nothing left to cancel.`);
