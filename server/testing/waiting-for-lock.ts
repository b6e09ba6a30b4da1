import { vi } from "vitest";
import { sql } from "@/server/testing/sql";

/** Returns the backends of this database that wait for a lock in a statement that contains this text. */
export async function waitingForLock(text = ""): Promise<number[]> {
  const rows = await sql<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0`,
    [text],
  );
  return rows.map(({ pid }) => pid);
}

/** Waits until this many statements that contain the text wait for a lock. */
export const untilWaitingForLock = (count: number, text = "") =>
  vi.waitUntil(async () => (await waitingForLock(text)).length >= count, { timeout: 20_000, interval: 20 });
