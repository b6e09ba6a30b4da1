import { processState } from "@/server/core/process-state";
import { Dispatcher } from "./dispatcher";

const state = processState("webhook dispatcher", (): { running?: Dispatcher } => ({}));

/** The dispatcher of this process, created at first use. */
export function dispatcher(): Dispatcher {
  return (state.running ??= new Dispatcher());
}

/** For the end of the process: claims nothing more and waits for what is in flight, `graceMs` at the longest. */
export async function stopDispatcher(graceMs: number): Promise<void> {
  await state.running?.stop({ graceMs });
}
