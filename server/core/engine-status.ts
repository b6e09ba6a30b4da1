/** What the job engine says of itself, for /readyz, /metrics and the console. */
export interface EngineStatus {
  mode: "embedded" | "inngest";
  ready: boolean;
  /** Runs that wait for their turn. */
  queued: number;
  /** How long the oldest of them has been due; null where none is. */
  oldestDueSeconds: number | null;
  running: number;
  failed24h: number;
}

const holder = globalThis as { bonafideEngine?: () => Promise<EngineStatus> };

/** Called once by the engine when it starts (inngest/engine.ts): domain code and Next's bundle do not import the engine. */
export function setEngineStatus(status: () => Promise<EngineStatus>): void {
  holder.bonafideEngine = status;
}

/** Null where no engine runs in this process. */
export async function engineStatus(): Promise<EngineStatus | null> {
  return (await holder.bonafideEngine?.()) ?? null;
}
