import { processState } from "@/server/core/process-state";

/** What the SDK's client needs of the embedded engine. */
interface Sink {
  fetch: typeof fetch;
}

const state = processState("embedded engine", (): { engine?: Sink | undefined } => ({}));

/** Called at the start of the embedded engine, and with `undefined` at its end. */
export function holdEngine(engine: Sink | undefined): void {
  state.engine = engine;
}

/**
 * Throws where no embedded engine runs: a command line sends no events; the sweeps of the server find what it wrote.
 */
export function runningEngine(): Sink {
  if (!state.engine) throw new Error("The job engine does not run in this process.");
  return state.engine;
}
