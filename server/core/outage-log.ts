import { log } from "./log";
import { processState } from "./process-state";

/** How often the cause of each kind of failure is logged. */
const everyMs = 60_000;

const kinds = {
  outage: { level: "error", message: "the database is not available" },
  /** The database works. Requests compete for the same rows. */
  contention: { level: "warn", message: "a transaction was ended by a deadlock or waited too long for a lock" },
} as const;

const state = processState("outage log", () => ({
  outage: { toldAt: -Infinity, untold: 0 },
  contention: { toldAt: -Infinity, untold: 0 },
}));

/**
 * Logs why requests fail as `unavailable`: the first failure of a kind, then at most one a minute with the number of those
 * in between. The access log has each request.
 */
export function noteUnavailable(kind: keyof typeof kinds, error: unknown): void {
  const { level, message } = kinds[kind];
  const told = state[kind];
  told.untold++;
  const now = performance.now();
  if (now - told.toldAt < everyMs) return;
  log()[level]({ err: error, failures: told.untold }, message);
  told.toldAt = now;
  told.untold = 0;
}
