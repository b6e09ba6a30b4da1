import { z } from "zod";
import { publicId } from "@/server/core/ids";
import { personCommand } from "@/server/core/operation";
import { audit } from "./audit";
import type { ConsoleSession } from "./console-session";
import { admitted } from "./visitor";

/**
 * Ends the current session, at sign-out. Its cookie stops working, and so do copies of the cookie. Leaves an audit
 * entry in the session's organisation.
 */
export const endSession = personCommand({
  name: "sessions.end",
  input: z.strictObject({}),
  async run(visitor, tx, { sessionId, user, current }: ConsoleSession) {
    const ended = await tx.sql(
      `UPDATE console_sessions SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL RETURNING 1`,
      [sessionId, visitor.now],
    );
    if (ended.length > 0 && current)
      await audit(admitted(visitor, tx, current.orgId, user.id), "session.ended", {
        type: "user",
        id: publicId("usr", user.id),
      });
  },
});
