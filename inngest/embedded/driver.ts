import type { CallResult, Call } from "./protocol";
import type { Store } from "./store";

/** The parts of the engine that are needed to drive a run. */
export interface Driver {
  store: Store;
  call(call: Call): Promise<CallResult>;
  now(): Date;
  /** True once the engine is stopping: runs are then given back between two calls. */
  stopping(): boolean;
}

/** Builds an error of the engine itself, in the SDK's format. */
export function problem(message: string): { name: string; message: string } {
  return { name: "EngineError", message };
}
