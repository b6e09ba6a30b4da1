import { query, type Store } from "./store";

/** Figures of all processes and functions. */
export interface QueueStatus {
  /** Runs that are due and not yet claimed. */
  queued: number;
  running: number;
  /** Age of the oldest due run in seconds; 0 if none is due. */
  oldestDueSeconds: number;
  failed24h: number;
}

export async function readStatus(store: Store): Promise<QueueStatus> {
  const [row] = await query<QueueStatus>(
    store,
    "work",
    "status",
    `SELECT
       (SELECT count(*) FROM engine_runs WHERE state = 'queued' AND due_at <= $now)::int AS queued,
       (SELECT count(*) FROM engine_runs WHERE state = 'running')::int AS running,
       (SELECT coalesce(extract(epoch FROM $now - min(due_at)), 0) FROM engine_runs WHERE state = 'queued' AND due_at <= $now)::float8
         AS "oldestDueSeconds",
       (SELECT count(*) FROM engine_runs WHERE state = 'failed' AND finished_at > $now - interval '24 hours')::int AS failed24h`,
    [],
  );
  return row!;
}

const batch = 1000;

/**
 * Deletes succeeded runs after a day, failed runs after 14 days, and event ids after 24 hours. Works in batches, so
 * that no lock is held for long.
 */
export async function purge(store: Store): Promise<void> {
  await inBatches(() =>
    remove(
      store,
      "purgeSucceeded",
      "engine_runs",
      `state = 'succeeded' AND finished_at < $now - interval '1 day' ORDER BY finished_at`,
    ),
  );
  await inBatches(() =>
    remove(
      store,
      "purgeFailed",
      "engine_runs",
      `state = 'failed' AND finished_at < $now - interval '14 days' ORDER BY finished_at`,
    ),
  );
  await inBatches(() =>
    remove(store, "purgeEventIds", "engine_event_ids", `seen_at < $now - interval '24 hours' ORDER BY seen_at`),
  );
  await abandon(store);
}

async function inBatches(once: () => Promise<number>): Promise<void> {
  while ((await once()) === batch);
}

/** @param which a condition and an order that match an index, so that a table without old rows is not scanned. */
async function remove(store: Store, name: string, table: string, which: string): Promise<number> {
  const rows = await query(
    store,
    "work",
    name,
    `DELETE FROM ${table} WHERE id = ANY(ARRAY(SELECT id FROM ${table} WHERE ${which} LIMIT ${batch} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
    [],
  );
  return rows.length;
}

/** Fails runs of functions that no process has known for a week; otherwise they would stay due forever. */
async function abandon(store: Store): Promise<void> {
  await query(
    store,
    "work",
    "abandon",
    `UPDATE engine_runs SET state = 'failed', finished_at = $now, error = '{"name":"EngineError","message":"No process knows this function."}'
     WHERE state = 'queued' AND due_at < $now - interval '7 days'`,
    [],
  );
}
