import { processState } from "./process-state";

/**
 * What the job engine says of itself, for /readyz, /metrics and the console; null where an Inngest server keeps the
 * counts.
 */
export interface EngineStatus {
  mode: "embedded" | "inngest";
  ready: boolean;
  /** What an Inngest server refuses or does not answer, in words for the operator; null where all is well. */
  problem: string | null;
  /** Runs that are due and not begun. */
  queued: number | null;
  running: number | null;
  /** Age of the oldest of the queued; 0 where none is. */
  oldestDueSeconds: number | null;
  failed24h: number | null;
}

const state = processState("engine status", (): { read?: () => Promise<EngineStatus> } => ({}));

/** Called once by the server when its engine has started: domain code and Next's bundle do not import the engine. */
export function setEngineStatus(status: () => Promise<EngineStatus>): void {
  state.read = status;
}

/** Null where no engine runs in this process. */
export async function engineStatus(): Promise<EngineStatus | null> {
  return (await state.read?.()) ?? null;
}
