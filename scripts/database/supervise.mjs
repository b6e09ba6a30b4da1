import { setTimeout as wait } from "node:timers/promises";

/**
 * @typedef {object} SuperviseOptions
 *
 * @property {(text: string) => void} tell
 * @property {(error: Error) => void} giveUp called once, when the database was not reached for `giveUpMs`
 * @property {number} [everyMs] between two checks
 * @property {number} [maxDelayMs] the longest wait between two attempts; the first wait is `everyMs`, and each next one
 * doubles
 * @property {number} [giveUpMs]
 * @property {number} [stableMs] a database that dies sooner than this after its start counts as continuously failing
 */

/**
 * Restarts a database that has died: after a crash, or after a full disk has space again. Gives up after a time limit,
 * so that the service's supervisor (systemd, Docker, Kubernetes) can act. The limit applies to every reason not to
 * reach the database: it does not start, it runs at an unknown address, or its state is unknown.
 *
 * @param {{ isReached: () => Promise<boolean>, start: () => Promise<unknown> }} database `isReached`: whether this
 * process reaches it; false if it does not run. `start` returns if it runs already.
 * @param {SuperviseOptions} options
 * @returns {() => void} ends the supervision
 */
export function supervise(
  database,
  { tell, giveUp, everyMs = 1000, maxDelayMs = 30_000, giveUpMs = 300_000, stableMs = 60_000 },
) {
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
      try {
        if (await database.isReached()) {
          if (performance.now() - startedAt >= stableMs) failingSince = undefined;
          delay = everyMs;
          continue;
        }
        if (ending.signal.aborted) return;
        if (failingSince === undefined) tell("PostgreSQL has stopped. Starting it again.");
        failingSince ??= performance.now();
        await database.start();
        if (ending.signal.aborted) return;
        if (!(await database.isReached())) throw new Error("It stopped at once.");
        startedAt = performance.now();
        tell("PostgreSQL runs again.");
        delay = everyMs;
      } catch (error) {
        if (ending.signal.aborted) return;
        failingSince ??= performance.now();
        if (performance.now() - failingSince >= giveUpMs) throw error;
        tell(`PostgreSQL is not reached; trying again. ${error.message} ${error.detail ?? ""}`.trim());
        delay = Math.min(delay * 2, maxDelayMs);
      }
    }
  }
}
