import { processState } from "./process-state";

/** At most `points` of one key in each window of `seconds`. */
export interface Limit {
  name: string;
  points: number;
  seconds: number;
}

export interface Counted {
  isOver: boolean;
  /** Points that are left in the window. */
  remaining: number;
  /** Until the window ends and the key begins anew. */
  msBeforeNext: number;
}

interface Window {
  used: number;
  endsAt: number;
}

/** Keys that are remembered of one limit: some 10 MB at the most. */
const maxKeys = 50_000;

// Once per process: an address is counted once, whether it asks for a page or for the API.
const limits = processState("rate limits", () => new Map<string, Map<string, Window>>());

function windowsOf({ name, seconds }: Limit): Map<string, Window> {
  const id = `${name}/${seconds}`;
  let windows = limits.get(id);
  if (!windows) limits.set(id, (windows = new Map()));
  return windows;
}

/**
 * Counts `points` of a key. Memory is bounded: of more keys than are remembered, the one whose window began first is
 * forgotten. Each process counts for itself: with several, a limit is a multiple (docs/decisions/064).
 */
export function count(limit: Limit, key: string, points = 1, now = Date.now()): Counted {
  const windows = windowsOf(limit);
  let window = windows.get(key);
  if (!window || window.endsAt <= now) {
    // Deleted first, so that the map stays in the order of the windows' beginnings.
    windows.delete(key);
    windows.set(key, (window = { used: 0, endsAt: now + limit.seconds * 1000 }));
    if (windows.size > maxKeys) windows.delete(windows.keys().next().value!);
  }
  window.used += points;
  return {
    isOver: window.used > limit.points,
    remaining: Math.max(0, limit.points - window.used),
    msBeforeNext: window.endsAt - now,
  };
}

/** Takes counted points back. */
export function giveBack(limit: Limit, key: string, points = 1): void {
  const window = windowsOf(limit).get(key);
  if (window) window.used = Math.max(0, window.used - points);
}

/** Forgets all that was counted of a key. */
export function forget(limit: Limit, key: string): void {
  windowsOf(limit).delete(key);
}

/** How many keys of a limit are remembered. */
export function remembered(limit: Limit): number {
  return windowsOf(limit).size;
}
