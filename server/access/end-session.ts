import { z } from "zod";
import { publicId } from "@/server/core/ids";
import { personCommand } from "@/server/core/operation";
import { audit } from "./audit";
import type { ConsoleSession } from "./console-session";
import { admitted } from "./visitor";

/**
 * Ends the session that the person acts in, at sign-out: its cookie opens nothing any more, wherever a copy of it is.
 * Leaves an audit entry in the organisation that it was in.
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
