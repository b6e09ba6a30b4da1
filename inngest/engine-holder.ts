import { processState } from "@/server/core/process-state";

/** The part of the embedded engine that the SDK's client uses. */
interface Sink {
  fetch: typeof fetch;
}

const state = processState("embedded engine", (): { engine?: Sink | undefined } => ({}));

/** Sets the embedded engine of this thread when it starts; `undefined` when it stops. */
export function holdEngine(engine: Sink | undefined): void {
  state.engine = engine;
}

/**
 * Returns the embedded engine of this thread.
 *
 * @throws Error if none runs, as in a command line: it sends no events, and the server's sweeps find what it wrote.
 */
export function runningEngine(): Sink {
  if (!state.engine) throw new Error("The job engine does not run in this thread.");
  return state.engine;
}
