import type { EngineEvent, StepResult } from "./protocol";
import { query, type Store } from "./store";

/** A step that a run has met: completed (it has a position), or waiting for its time. */
export interface StepRow {
  id: string;
  position: number | null;
  attempt: number;
  /** Its time had come when the run was claimed. */
  ripe: boolean;
  result: StepResult | null;
}

/** A run that this process holds under a lease; whatever it writes of it is fenced by `claimId`. */
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
 * How many runs of a function this process has room for, and how many may run at a time by its concurrency, anywhere.
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
  /** All functions that this process knows; runs of others are left to those who do. */
  functionIds: string[];
}

export interface Claimed {
  runs: ClaimedRun[];
  /** Until the next run falls due, where one is known. */
  nextInMs: number | null;
}

/** Claims what is due (`engine_claim` in prisma/migrations says how) for as much as there is room. */
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
