import { setTimeout as wait } from "node:timers/promises";

/**
 * @typedef {object} SuperviseOptions
 * @property {(text: string) => void} tell
 * @property {(error: Error) => void} giveUp called once, when it could not be kept running for `giveUpMs`
 * @property {number} [everyMs] between two looks
 * @property {number} [maxDelayMs] the longest wait between two tries; the first is `everyMs`, then it doubles
 * @property {number} [giveUpMs]
 * @property {number} [stableMs] one that dies sooner than this after its start counts as failing all the while
 */

/**
 * Starts a database again whenever it has died: after a crash, or a full disk once there is space again. It gives up after a bound, so that whatever
 * restarts the service (systemd, Docker, Kubernetes) can act.
 * @param {{ isRunning: () => boolean, start: () => Promise<unknown> }} database
 * @param {SuperviseOptions} options
 * @returns {() => void} ends the supervision
 */
export function supervise(database, { tell, giveUp, everyMs = 1000, maxDelayMs = 30_000, giveUpMs = 300_000, stableMs = 60_000 }) {
  const ending = new AbortController();
  void watch().catch((error) => {
    if (!ending.signal.aborted) giveUp(error);
  });
  return () => ending.abort();

  async function watch() {
    let failingSince;
    let startedAt = -Infinity;
    let delay = everyMs;
    for (;;) {
      await wait(delay, undefined, { signal: ending.signal, ref: false });
      const now = performance.now();
      if (database.isRunning()) {
        if (now - startedAt >= stableMs) failingSince = undefined;
        delay = everyMs;
        continue;
      }
      if (failingSince === undefined) tell("PostgreSQL has stopped. Starting it again.");
      failingSince ??= now;
      try {
        await database.start();
        if (ending.signal.aborted) return;
        startedAt = performance.now();
        tell("PostgreSQL runs again.");
        delay = everyMs;
      } catch (error) {
        if (performance.now() - failingSince >= giveUpMs) throw error;
        tell(`PostgreSQL does not start; trying again. ${error.message} ${error.detail ?? ""}`.trim());
        delay = Math.min(delay * 2, maxDelayMs);
      }
    }
  }
}
