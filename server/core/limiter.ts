import { processState } from "./process-state";

/** A rate limit: at most `points` for one key in each window of `seconds`. */
export interface Limit {
  name: string;
  points: number;
  seconds: number;
}

export interface Counted {
  isOver: boolean;
  /** The points that are left in the window. */
  remaining: number;
  /** Milliseconds until the window ends and the key has all its points again. */
  msBeforeNext: number;
}

interface Window {
  used: number;
  endsAt: number;
}

/** How many keys of one limit are remembered: about 10 MB at most. */
const maxKeys = 50_000;

// One per process, so that requests of an address for pages and for the API count together.
const limits = processState("rate limits", () => new Map<string, Map<string, Window>>());

function windowsOf({ name, seconds }: Limit): Map<string, Window> {
  const id = `${name}/${seconds}`;
  let windows = limits.get(id);
  if (!windows) limits.set(id, (windows = new Map()));
  return windows;
}

/**
 * Counts `points` for a key. Memory is limited: above maxKeys, the key whose window began first is forgotten. Each
 * process counts separately, so several processes multiply a limit (docs/decisions/064).
 */
export function count(limit: Limit, key: string, points = 1, now = Date.now()): Counted {
  const windows = windowsOf(limit);
  let window = windows.get(key);
  if (!window || window.endsAt <= now) {
    // Deleted first, so that the map stays ordered by the beginning of the windows.
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

/** Returns counted points to a key. */
export function giveBack(limit: Limit, key: string, points = 1): void {
  const window = windowsOf(limit).get(key);
  if (window) window.used = Math.max(0, window.used - points);
}

/** Resets the count of a key. */
export function forget(limit: Limit, key: string): void {
  windowsOf(limit).delete(key);
}

/** How many keys of a limit are remembered. */
export function remembered(limit: Limit): number {
  return windowsOf(limit).size;
}
