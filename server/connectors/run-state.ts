import { DomainError } from "@/server/core/errors";
import type { RunStatus } from "./run-view";

/** The refusal to approve a run that holds nothing. */
export const notHeld = (status: RunStatus) =>
  new DomainError("run_state", `The run is ${status}. Only a run that is held waits for an approval.`);

/** The refusal to cancel a run that is over. */
export const isOver = (status: RunStatus) =>
  new DomainError("run_state", `The run is ${status}; there is nothing left to cancel.`);
