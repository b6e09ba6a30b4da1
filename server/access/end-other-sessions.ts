import { z } from "zod";
import { notFound } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { personCommand } from "@/server/core/operation";
import { audit } from "./audit";
import type { ConsoleSession } from "./console-session";
import { admitted } from "./visitor";

/**
 * Ends another session of the same person or, without an id, all sessions except the current one. Leaves an audit entry
 * in each of their organisations.
 *
 * @throws DomainError not_found if they have no such session.
 */
export const endOtherSessions = personCommand({
  name: "sessions.end_others",
  input: z.strictObject({ id: id("ses").optional() }),
  async run(visitor, tx, { sessionId, user, memberships }: ConsoleSession, input) {
    const ended = await tx.sql(
      `UPDATE console_sessions SET ended_at = $4 WHERE user_id = $1 AND id <> $2 AND ($3::uuid IS NULL OR id = $3) AND ended_at IS NULL AND expires_at > $4 RETURNING 1`,
      [user.id, sessionId, input.id ?? null, visitor.now],
    );
    if (input.id !== undefined && ended.length === 0) throw notFound("session", publicId("ses", input.id));
    if (ended.length === 0) return { ended: 0 };
    for (const { orgId } of memberships)
      await audit(
        admitted(visitor, tx, orgId, user.id),
        "session.others_ended",
        { type: "user", id: publicId("usr", user.id) },
        { sessions: ended.length },
      );
    return { ended: ended.length };
  },
});
