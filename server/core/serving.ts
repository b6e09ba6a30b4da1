import { processState } from "./process-state";

const state = processState("serving", () => ({ serving: true }));

/** Whether this process takes requests: true until it is told to stop. */
export function isServing(): boolean {
  return state.serving;
}

export function setServing(serving: boolean): void {
  state.serving = serving;
}
