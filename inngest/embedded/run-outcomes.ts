import { LeasedTable, released } from "@/server/reactions/leased-table";
import type { ClaimedRun } from "./claim";
import type { EngineEvent, StepResult } from "./protocol";
import { milliseconds, query, type Store } from "./store";

/**
 * Thrown if the run has ended or another process has claimed it since the lease ran out. This process must not write to
 * it any more.
 */
export class ClaimLost extends Error {}

const fence = `id = $1 AND claim_id = $2 AND state = 'running'`;
const leases = new LeasedTable<Pick<ClaimedRun, "id" | "claimId">>({
  table: "engine_runs",
  key: { id: { type: "uuid", of: (run) => run.id } },
  claimId: { type: "uuid", of: (run) => run.claimId },
  status: "state",
  due: "due_at",
});

async function fenced(
  store: Store,
  run: ClaimedRun,
  name: string,
  text: string,
  values: unknown[] = [],
): Promise<void> {
  const rows = await query(store, "work", name, text, [run.id, run.claimId, ...values]);
  if (rows.length === 0) throw new ClaimLost(`The claim on run ${run.id} was lost.`);
}

/** Completes a run. Runs of signals are deleted at once; other runs are kept for a while. */
export async function succeed(store: Store, run: ClaimedRun, output: unknown): Promise<void> {
  if (run.signal !== null) return fenced(store, run, "heed", `DELETE FROM engine_runs WHERE ${fence} RETURNING id`);
  await fenced(
    store,
    run,
    "succeed",
    `UPDATE engine_runs SET state = 'succeeded', ${released}, output = $3, finished_at = $now WHERE ${fence} RETURNING id`,
    [output === null ? null : JSON.stringify(output)],
  );
}

/** Fails a run for good and, in the same statement, queues the run that handles its failure. */
export async function fail(
  store: Store,
  run: ClaimedRun,
  error: unknown,
  handler: { functionId: string; event: EngineEvent } | undefined,
): Promise<void> {
  await fenced(
    store,
    run,
    "fail",
    `WITH failed AS (
       UPDATE engine_runs SET state = 'failed', ${released}, error = $3, finished_at = $now WHERE ${fence} RETURNING id
     ), told AS (
       INSERT INTO engine_runs (function_id, event, due_at, created_at) SELECT $4::text, $5::json, $now, $now FROM failed WHERE $4::text IS NOT NULL
     )
     SELECT id FROM failed`,
    [JSON.stringify(error), handler?.functionId ?? null, handler ? JSON.stringify(handler.event) : null],
  );
}

/** Queues a run again after a failed call. */
export async function retry(
  store: Store,
  run: ClaimedRun,
  attempt: number,
  delayMs: number,
  error: unknown,
): Promise<void> {
  await fenced(
    store,
    run,
    "retry",
    `UPDATE engine_runs SET state = 'queued', ${released}, attempt = $3, due_at = $now + ${milliseconds("$4")}, error = $5
     WHERE ${fence} RETURNING id`,
    [attempt, delayMs, JSON.stringify(error)],
  );
}

/** Queues a run again for the time at which the first of its waiting steps is due. */
export async function pause(store: Store, run: ClaimedRun): Promise<void> {
  await fenced(
    store,
    run,
    "pause",
    `UPDATE engine_runs SET state = 'queued', ${released}, due_at = coalesce(
       (SELECT min(due_at) FROM engine_steps WHERE run_id = $1 AND position IS NULL), $now)
     WHERE ${fence} RETURNING id`,
  );
}

/** Gives runs back, due now, e.g. when the process stops. Skips runs whose claim was lost and runs that have ended. */
export async function release(store: Store, runs: Pick<ClaimedRun, "id" | "claimId">[]): Promise<void> {
  await query(store, "work", "release", leases.release(`state = 'queued', due_at = $now`), leases.columns(runs));
}

/**
 * Gives back a run whose state could not be written, and counts a lapse as if its lease had run out. Does nothing if
 * the claim was lost.
 */
export async function lapse(store: Store, run: ClaimedRun): Promise<void> {
  await query(
    store,
    "work",
    "lapse",
    leases.release(`state = 'queued', lapses = lapses + 1, due_at = $now`),
    leases.columns([run]),
  );
}

/** Extends the leases of the runs that this process still holds. */
export async function extendLeases(
  store: Store,
  runs: Pick<ClaimedRun, "id" | "claimId">[],
  leaseMs: number,
): Promise<void> {
  const until = `$now + ${milliseconds(`$${leases.next}`)}`;
  await query(store, "work", "extendLeases", leases.extend(until), [...leases.columns(runs), leaseMs]);
}

/** Stores the result of a step and resets the run's attempts, so that the next step has all of its own. */
export async function completeStep(
  store: Store,
  run: ClaimedRun,
  id: string,
  position: number,
  result: StepResult,
): Promise<void> {
  await fenced(
    store,
    run,
    "completeStep",
    `WITH held AS (UPDATE engine_runs SET attempt = 0 WHERE ${fence} RETURNING id)
     INSERT INTO engine_steps (run_id, id, position, result) SELECT id, $3, $4, $5 FROM held
     ON CONFLICT (run_id, id) DO UPDATE SET position = excluded.position, result = excluded.result, due_at = NULL
     RETURNING id`,
    [id, position, JSON.stringify(result)],
  );
}

/** Makes a step wait: a sleep, or the next attempt of a parallel step that failed. */
export async function postponeStep(
  store: Store,
  run: ClaimedRun,
  id: string,
  attempt: number,
  delayMs: number,
): Promise<void> {
  await fenced(
    store,
    run,
    "postponeStep",
    `WITH held AS (SELECT id FROM engine_runs WHERE ${fence} FOR UPDATE)
     INSERT INTO engine_steps (run_id, id, attempt, due_at) SELECT id, $3, $4, $now + ${milliseconds("$5")} FROM held
     ON CONFLICT (run_id, id) DO UPDATE SET attempt = excluded.attempt, due_at = excluded.due_at
     RETURNING id`,
    [id, attempt, delayMs],
  );
}
