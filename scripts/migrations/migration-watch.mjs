import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

const blockersEveryMs = 100;

/**
 * Watches from a second connection what a session waits for, and the progress of its index build.
 *
 * @param {string} databaseUrl
 * @param {pg.Client} client the watched session, connected
 */
export async function watchSession(databaseUrl, client) {
  const watcher = new pg.Client({ connectionString: databaseUrl });
  // Its reports are only a help. If the connection is lost, nothing is reported.
  watcher.on("error", () => {});
  await watcher.connect();
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  const [{ pid }] = rows;
  const ask = async (text) =>
    (await watcher.query(text, [pid]).catch(() => ({ rows: [] }))).rows.map(({ line }) => line);
  const watch = {
    /** Describes the sessions that the watched one last waited for. */
    blockers: [],

    /**
     * Records in `blockers` the sessions that the watched one waits for.
     *
     * @returns a function that stops this
     */
    noteBlockers: () => {
      watch.blockers = [];
      return every(blockersEveryMs, async () => {
        const found = await ask(blockers);
        if (found.length > 0) watch.blockers = found;
      });
    },

    /**
     * Reports the progress of an index build, and the sessions that it waits for.
     *
     * @returns a function that stops this
     */
    tell: (doing, everyMs) =>
      every(everyMs, async () => {
        const lines = [...(await ask(progress)), ...(await ask(blockers)).map((each) => `waiting for ${each}`)];
        if (lines.length > 0) doing(lines.join(", "));
      }),

    end: () => watcher.end().catch(() => {}),
  };
  return watch;
}

/** @returns {() => Promise<void>} stops it, and resolves once it has stopped completely */
function every(ms, look) {
  const ending = new AbortController();
  const running = (async () => {
    while (!ending.signal.aborted) {
      await wait(ms, undefined, { signal: ending.signal }).catch(() => {});
      if (!ending.signal.aborted) await look();
    }
  })();
  return () => {
    ending.abort();
    return running;
  };
}

const blockers = `
  SELECT format('pid %s%s (%s, transaction open for %s)', pid, coalesce(' of ' || nullif(application_name, ''), ''), coalesce(state, 'unknown'),
    coalesce(date_trunc('seconds', clock_timestamp() - xact_start)::text, 'an unknown time')) AS line
  FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids($1)) ORDER BY xact_start`;

const progress = `
  SELECT phase || CASE WHEN blocks_total > 0 THEN format(' (%s %% of the blocks)', 100 * blocks_done / blocks_total) ELSE '' END AS line
  FROM pg_stat_progress_create_index WHERE pid = $1`;
