import { vi } from "vitest";
import { sql } from "./sql";
import { waitingForLock } from "./waiting-for-lock";

/** How many deadlocks PostgreSQL has resolved in this database. */
export async function deadlocks(): Promise<number> {
  await sql(`SELECT pg_stat_force_next_flush()`);
  const [row] = await sql<{ deadlocks: number }>(
    `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
  );
  return row!.deadlocks;
}

/** Starts a request, and waits until it waits for a lock or is answered. */
export async function begin<T>(request: () => Promise<T>): Promise<{ answer: Promise<T>; waits: boolean }> {
  const before = (await waitingForLock()).length;
  let isAnswered = false;
  const answer = request().finally(() => (isAnswered = true));
  await vi.waitUntil(async () => isAnswered || (await waitingForLock()).length > before, 30_000);
  return { answer, waits: !isAnswered };
}
