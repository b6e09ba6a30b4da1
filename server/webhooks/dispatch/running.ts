import { processState } from "@/server/core/process-state";
import { Dispatcher } from "./dispatcher";

const state = processState("webhook dispatcher", (): { running?: Dispatcher } => ({}));

/** The dispatcher of this thread, created at first use. */
export function dispatcher(): Dispatcher {
  return (state.running ??= new Dispatcher());
}

/**
 * Call it before the thread ends: stops the dispatcher and waits for requests in flight, at most `graceMs`. One that is
 * first used afterwards claims nothing.
 */
export function stopDispatcher(graceMs: number): Promise<void> {
  return dispatcher().stop({ graceMs });
}
