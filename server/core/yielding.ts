import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import type pg from "pg";
import { env } from "./env";

/** How much higher the nice value of a yielding connection's process is. */
const step = 5;
const mostNice = 19;

/**
 * Lets PostgreSQL serve requests before the work of this connection where both want the same processor
 * (docs/decisions/746). Only for the embedded PostgreSQL: the process id of a PostgreSQL on another machine can belong
 * to any program on this one.
 */
export function yieldToRequests(connection: pg.PoolClient): void {
  if (!env().EMBEDDED_DATABASE) return;
  // Sent by PostgreSQL when the connection begins (BackendKeyData); pg does not declare it in its types.
  const { processID } = connection as pg.PoolClient & { processID: number };
  try {
    setPriority(processID, Math.min(getPriority(processID) + step, mostNice));
  } catch {
    // Not allowed here, or the connection has ended. The connection works without it.
  }
}

/**
 * Lets the main thread go before the calling thread where both want the same processor (docs/decisions/780). Linux has a
 * nice value for each thread; elsewhere, nothing changes.
 */
export function yieldToMainThread(): void {
  try {
    // `<process>/task/<thread>` (proc(5)).
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, Math.min(getPriority(thread) + step, mostNice));
  } catch {
    // Not Linux, or not allowed here.
  }
}
