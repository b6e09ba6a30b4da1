import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { processState } from "@/server/core/process-state";

/** Minimum time in ms between two writes of a session's last use. */
const everyMs = 60_000;

/**
 * When this process last wrote each session's use. Bounded: the oldest entry is dropped, which causes at most one extra
 * write.
 */
const written = processState("last use of sessions", () => new Map<Id<"ses">, number>());
const maxRemembered = 10_000;

/** Records that a session was used, and from which address. A failed write is logged and does not fail the request. */
export function noteSessionSeen(id: Id<"ses">, address: string, now: Date): void {
  const before = written.get(id);
  if (before !== undefined && now.getTime() - before < everyMs) return;
  written.delete(id);
  written.set(id, now.getTime());
  if (written.size > maxRemembered) written.delete(written.keys().next().value!);
  sql(`UPDATE console_sessions SET last_seen_at = $2, address = $3 WHERE id = $1 AND last_seen_at < $2`, [
    id,
    now,
    address,
  ]).catch((error: unknown) => log().warn({ err: error }, "the last use of a session could not be written"));
}
