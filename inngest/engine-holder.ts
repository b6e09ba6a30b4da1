/** What the SDK's client needs of the embedded engine. */
interface Sink {
  fetch: typeof fetch;
}

const holder = globalThis as { bonafideEngine?: Sink };

/** Kept on globalThis since Next and the server bundle their modules apart. */
export function holdEngine(engine: Sink | undefined): void {
  holder.bonafideEngine = engine;
}

/** Throws where no embedded engine runs: a command line sends no events; the sweeps of the server find what it wrote. */
export function runningEngine(): Sink {
  if (!holder.bonafideEngine) throw new Error("The job engine does not run in this process.");
  return holder.bonafideEngine;
}
