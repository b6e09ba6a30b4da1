import { processState } from "./process-state";

/**
 * The status of the job engine, for /readyz, /metrics and the console. Counts are null if an Inngest server keeps them.
 */
export interface EngineStatus {
  mode: "embedded" | "inngest";
  ready: boolean;
  /** What is wrong with the Inngest server, in words for the operator; null if nothing is. */
  problem: string | null;
  /** Runs that are due and have not begun. */
  queued: number | null;
  running: number | null;
  /** Age of the oldest queued run; 0 without one. */
  oldestDueSeconds: number | null;
  failed24h: number | null;
}

const state = processState("engine status", (): { read?: () => Promise<EngineStatus> } => ({}));

/**
 * Called once by the server when its engine has started, because domain code and Next's bundle cannot import the
 * engine.
 */
export function setEngineStatus(status: () => Promise<EngineStatus>): void {
  state.read = status;
}

/** Whether this process runs the engine, also while its database does not answer. */
export function hasEngine(): boolean {
  return state.read !== undefined;
}

/** Reads the engine's status; null if no engine runs in this process. */
export async function engineStatus(): Promise<EngineStatus | null> {
  return (await state.read?.()) ?? null;
}
