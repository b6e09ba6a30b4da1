import { processState } from "./process-state";

const state = processState("serving", () => ({ serving: true }));

/** Whether this process accepts requests: true until it begins to stop. */
export function isServing(): boolean {
  return state.serving;
}

export function setServing(serving: boolean): void {
  state.serving = serving;
}
