import type { EngineEvent, StepResult } from "./protocol";
import { query, type Store } from "./store";

/** A step that a run has reached: completed (it has a position), or waiting for its time. */
export interface StepRow {
  id: string;
  position: number | null;
  attempt: number;
  /** Whether the step was due when the run was claimed. */
  ripe: boolean;
  result: StepResult | null;
}

/** A run that this process holds under a lease. Every write to the run is fenced by `claimId`. */
export interface ClaimedRun {
  id: string;
  claimId: string;
  functionId: string;
  event: EngineEvent;
  attempt: number;
  lapses: number;
  signal: string | null;
  steps: StepRow[] | null;
}

/**
 * How many runs of a function may be claimed.
 * `free`: how many more this process can take. `limit`: how many may run at a time in all processes, by the function's
 * concurrency.
 */
export interface Room {
  id: string;
  free: number;
  limit: number | null;
}

export interface Claim {
  claimId: string;
  leaseMs: number;
  rooms: Room[];
  /** All functions that this process knows. Runs of other functions are left to the processes that know them. */
  functionIds: string[];
}

export interface Claimed {
  runs: ClaimedRun[];
  /** Milliseconds until the next run is due; null if none is known. */
  nextInMs: number | null;
}

/**
 * Claims due runs, as many as `rooms` allows. The algorithm is in the SQL function `engine_claim` (prisma/migrations).
 */
export async function claimDue(store: Store, { claimId, leaseMs, rooms, functionIds }: Claim): Promise<Claimed> {
  const [row] = await query<{ claimed: Claimed }>(
    store,
    "work",
    "claim",
    `SELECT engine_claim($1, $2, $3, $4, $5) AS claimed`,
    [claimId, Math.round(leaseMs), JSON.stringify(rooms), functionIds, store.now()],
  );
  return row!.claimed;
}
