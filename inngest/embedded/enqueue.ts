import { milliseconds, query, type Store } from "./store";
import { concurrencyKey } from "./concurrency";
import type { EngineEvent } from "./protocol";
import type { Registered, Registry } from "./registry";
import type { Schedule } from "./schedule";

/** The channel notified when runs are queued. The payload is the id of the engine that queued them. */
export const channel = "bonafide_engine";

export interface IncomingEvent extends EngineEvent {
  /** True if the sender set the id: a repeat within 24 hours starts nothing. */
  deduplicated: boolean;
  delayMs: number;
}

/** A run to insert. */
interface QueuedRun {
  function_id: string;
  event: EngineEvent;
  event_id: string | null;
  signal: string | null;
  concurrency_key: string | null;
  delay_ms: number;
}

/**
 * Queues a run of each function that an event triggers, and notifies the other engines. `engineId` is the engine that
 * calls this; it ignores its own notification.
 */
export async function enqueue(
  store: Store,
  registry: Registry,
  signals: ReadonlySet<string>,
  events: IncomingEvent[],
  engineId: string,
): Promise<void> {
  const runs = distinct(events.flatMap((event) => runsOf(registry, signals, event)));
  if (runs.length === 0) return;
  // A signal that is lost in a database crash is made good by a sweep, so its insert need not wait for the disk.
  const pool = runs.every(({ signal }) => signal !== null) ? "work" : "durable";
  await query(store, pool, "enqueue", enqueueRuns, [JSON.stringify(runs), channel, engineId]);
}

function runsOf(registry: Registry, signals: ReadonlySet<string>, incoming: IncomingEvent): QueuedRun[] {
  const { deduplicated, delayMs, ...event } = incoming;
  const isSignal = signals.has(event.name) && !deduplicated && delayMs === 0;
  return [...registry.values()]
    .filter((f) => f.events.includes(event.name))
    .map((f) => ({
      function_id: f.id,
      event,
      event_id: deduplicated ? event.id : null,
      signal: isSignal ? JSON.stringify([event.name, event.data]) : null,
      concurrency_key: concurrencyKey(f.id, f.concurrency, event),
      delay_ms: delayMs,
    }));
}

/** Keeps one run per function and signal. The NOT EXISTS below does not see the rows that its own statement inserts. */
function distinct(runs: QueuedRun[]): QueuedRun[] {
  const seen = new Set<string>();
  return runs.filter(({ function_id, signal }) => {
    const key = `${function_id} ${signal}`;
    return signal === null || (!seen.has(key) && seen.add(key));
  });
}

// A signal is dropped while an equal one is queued. The queued run starts after this statement, and so after the
// sender's commit: it sees the data that the dropped signal announced. A run that waits for a retry counts as queued
// too, so further signals do not make a failing function run more often.
const enqueueRuns = `
WITH incoming AS (
  SELECT * FROM json_to_recordset($1::json)
    AS r(function_id text, event json, event_id text, signal text, concurrency_key text, delay_ms float8)
), fresh AS (
  INSERT INTO engine_event_ids AS known (id, seen_at)
  SELECT DISTINCT event_id, $now FROM incoming WHERE event_id IS NOT NULL
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at WHERE known.seen_at < excluded.seen_at - interval '24 hours'
  RETURNING id
), queued AS (
  INSERT INTO engine_runs (function_id, event, signal, concurrency_key, due_at, created_at)
  SELECT function_id, event, signal, concurrency_key, $now + ${milliseconds("delay_ms")}, $now
  FROM incoming
  WHERE (event_id IS NULL OR event_id IN (SELECT id FROM fresh))
    AND (signal IS NULL OR NOT EXISTS (
      SELECT FROM engine_runs waiting
      WHERE waiting.function_id = incoming.function_id AND waiting.signal = incoming.signal AND waiting.state = 'queued'))
  RETURNING 1
)
SELECT pg_notify($2, $3) FROM queued LIMIT 1`;

/**
 * Stores a function's schedules and returns the last tick of each cron. A new schedule gets the present as its last
 * tick.
 */
export async function readTicks(store: Store, f: Registered): Promise<Map<string, Date>> {
  const rows = await query<{ cron: string; last_tick: Date }>(
    store,
    "durable",
    "readTicks",
    `WITH made AS (
       INSERT INTO engine_schedules (function_id, cron, last_tick) SELECT $1, cron, $now FROM unnest($2::text[]) AS cron
       ON CONFLICT (function_id, cron) DO NOTHING RETURNING cron, last_tick)
     SELECT cron, last_tick FROM made
     UNION ALL SELECT cron, last_tick FROM engine_schedules WHERE function_id = $1 AND cron = ANY($2)`,
    [f.id, f.schedules.map((s) => s.cron)],
  );
  return new Map(rows.map((row) => [row.cron, row.last_tick]));
}

/**
 * Takes a tick, unless another engine took it. One statement moves the schedule and queues the run, so both happen once
 * or not at all.
 */
export async function takeTick(store: Store, f: Registered, { cron }: Schedule, tick: Date): Promise<void> {
  const event: EngineEvent = {
    id: `${f.id} ${cron} ${tick.toISOString()}`,
    name: "inngest/scheduled.timer",
    data: { cron },
    ts: tick.getTime(),
  };
  await query(
    store,
    "durable",
    "takeTick",
    `WITH taken AS (
       UPDATE engine_schedules SET last_tick = $3 WHERE function_id = $1 AND cron = $2 AND last_tick < $3 RETURNING 1)
     INSERT INTO engine_runs (function_id, event, concurrency_key, due_at, created_at)
     SELECT $1, $4, $5, $now, $now FROM taken`,
    [f.id, cron, tick, JSON.stringify(event), concurrencyKey(f.id, f.concurrency, event)],
  );
}
