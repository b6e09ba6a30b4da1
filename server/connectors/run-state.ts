import { lastActor } from "@/server/access/last-actor";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import type { RunRow, RunStatus } from "./run-view";

/** The refusal to approve a run that holds nothing. Tells who approved or cancelled it, if somebody did. */
export async function notHeld(ctx: TxCtx, { id, status }: Pick<RunRow, "id" | "status">): Promise<DomainError> {
  const action = status === "cancelled" ? "connector_run.cancelled" : "connector_run.approved";
  const decidedBy = await lastActor(ctx, publicId("run", id), action);
  return new DomainError("run_state", `The run is ${status}. Only a run that is held waits for an approval.`, {
    members: { runStatus: status, decidedBy: decidedBy && { ...decidedBy } },
  });
}

/** The refusal to cancel a run that is over. */
export const isOver = (status: RunStatus) =>
  new DomainError("run_state", `The run is ${status}; there is nothing left to cancel.`);
