import { Dispatcher } from "./dispatcher";

const holder = globalThis as { bonafideDispatcher?: Dispatcher };

/** The dispatcher of this process, made at first use. Kept on globalThis since Next and the server bundle their modules apart. */
export function dispatcher(): Dispatcher {
  return (holder.bonafideDispatcher ??= new Dispatcher());
}

/** For the end of the process: claims nothing more and waits for what is in flight, `graceMs` at the longest. */
export async function stopDispatcher(graceMs: number): Promise<void> {
  await holder.bonafideDispatcher?.stop({ graceMs });
}
