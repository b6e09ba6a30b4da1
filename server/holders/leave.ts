import { z } from "zod";
import { hashToken } from "@/server/core/secrets";
import { visitorCommand } from "@/server/core/operation";

/** Signs out of the holder's home: ends the session. */
export const leaveHome = visitorCommand({
  name: "holders.leave",
  input: z.strictObject({ session: z.string().max(200) }),
  async run(_, tx, { session }) {
    await tx.sql(`DELETE FROM holder_sessions WHERE token_hash = $1`, [hashToken(session)]);
  },
});
