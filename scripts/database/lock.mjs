import { readFileSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { placeWhole } from "../launch/files.mjs";
import { lives, self } from "../launch/process-identity.mjs";

/** Undefined if there is no lock; without a pid if the lock's content cannot be parsed. */
export function holderOf(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")) ?? {};
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/**
 * Takes the lock file `path` for this process. A lock whose process has ended is taken over.
 *
 * @returns {Promise<{ release: () => void } | { holder: Record<string, unknown> }>} `holder`: what the lock's process
 * wrote: its pid and `about`
 */
export async function takeLock(path, about = {}) {
  const mine = JSON.stringify({ ...about, ...self() });
  const isMine = () => holderOf(path)?.pid === process.pid;
  const release = () => isMine() && rmSync(path, { force: true });
  for (let tookOver = false; ; ) {
    if (placeWhole(path, mine)) {
      // Another process may have found the same dead lock and removed ours instead. Then the later process has the
      // lock.
      if (tookOver) await wait(50);
      return isMine() ? { release } : { holder: holderOf(path) ?? {} };
    }
    const holder = holderOf(path);
    if (holder && lives(holder)) return { holder };
    if (holder) {
      rmSync(path, { force: true });
      tookOver = true;
    }
  }
}

/** Runs `work` while holding the lock file `path`. Waits until the lock is free. */
export async function withLock(path, work) {
  for (;;) {
    const lock = await takeLock(path);
    if ("release" in lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    await wait(50);
  }
}
