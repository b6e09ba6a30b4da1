import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { processState } from "@/server/core/process-state";

/** A session's last use is written once a minute at the most. */
const everyMs = 60_000;

/**
 * When each session's last use was written by this process. Bounded: the oldest goes first, and is then written once
 * more than needed.
 */
const written = processState("last use of sessions", () => new Map<Id<"ses">, number>());
const maxRemembered = 10_000;

/** Notes that a session was used, and from where. A failure is logged and keeps nobody from their work. */
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
