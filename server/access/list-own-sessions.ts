import { sql } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import type { ConsoleSession } from "./console-session";
import type { Visitor } from "./visitor";

/**
 * Lists the live sessions of a person: the current one first, then by last use.
 *
 * @returns at most 100
 */
export async function listOwnSessions(visitor: Visitor, { sessionId, user }: ConsoleSession) {
  const rows = await sql<{
    id: Id<"ses">;
    address: string;
    user_agent: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
  }>(
    `SELECT s.id, s.address, s.user_agent, s.created_at, s.last_seen_at, s.expires_at FROM console_sessions s
     JOIN users u ON u.id = s.user_id AND u.session_version = s.session_version
     WHERE s.user_id = $1 AND s.ended_at IS NULL AND s.expires_at > $2 ORDER BY s.id = $3 DESC, s.last_seen_at DESC LIMIT 100`,
    [user.id, visitor.now, sessionId],
  );
  return rows.map((row) => ({
    id: publicId("ses", row.id),
    object: "session" as const,
    isCurrent: row.id === sessionId,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }));
}
