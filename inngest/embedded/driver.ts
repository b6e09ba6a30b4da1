import type { Answer, Call } from "./protocol";
import type { Store } from "./store";

/** What driving a run needs of the engine. */
export interface Driver {
  store: Store;
  call(call: Call): Promise<Answer>;
  now(): Date;
  /** The engine is about to end: a run is given back between two calls. */
  stopping(): boolean;
}

/** An error of the engine's own, in the form of the SDK's. */
export function problem(message: string): { name: string; message: string } {
  return { name: "EngineError", message };
}
