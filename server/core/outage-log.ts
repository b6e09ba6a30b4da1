import { log } from "./log";
import { processState } from "./process-state";

/** How often the cause of an outage is logged. */
const everyMs = 60_000;

const state = processState("outage log", () => ({ toldAt: -Infinity, untold: 0 }));

/**
 * Logs why requests fail during an outage of the database: the first failure, then at most one a minute with the number
 * of those in between. The access log has each request.
 */
export function noteOutage(error: unknown): void {
  state.untold++;
  const now = performance.now();
  if (now - state.toldAt < everyMs) return;
  log().error({ err: error, failures: state.untold }, "the database is not available");
  state.toldAt = now;
  state.untold = 0;
}
