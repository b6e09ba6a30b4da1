import { z } from "zod";
import { publicId } from "@/server/core/ids";
import { personCommand } from "@/server/core/operation";
import { audit } from "./audit";
import type { ConsoleSession } from "./console-session";
import { admitted } from "./visitor";

/** Ends every session of a person, on all devices. Leaves an audit entry in each of their organisations. */
export const endSessions = personCommand({
  name: "sessions.end_all",
  input: z.strictObject({}).optional(),
  async run(visitor, tx, { user, memberships }: ConsoleSession) {
    await tx.sql(`UPDATE users SET session_version = session_version + 1 WHERE id = $1`, [user.id]);
    for (const { orgId } of memberships)
      await audit(admitted(visitor, tx, orgId, user.id), "session.all_ended", {
        type: "user",
        id: publicId("usr", user.id),
      });
  },
});
