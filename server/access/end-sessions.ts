import { transaction } from "@/server/core/transaction";
import { audit } from "./audit";
import type { ConsoleSession } from "./console-session";
import { admitted, type Visitor } from "./visitor";

/** Ends every session of a person, on all devices. Leaves an audit entry in each of their organisations. */
export async function endSessions(visitor: Visitor, { user, memberships }: ConsoleSession): Promise<void> {
  await transaction(async (tx) => {
    await tx.sql(`UPDATE users SET session_version = session_version + 1 WHERE id = $1`, [user.id]);
    for (const { orgId } of memberships) await audit(admitted(visitor, tx, orgId, user.id), "session.all_ended", { type: "user", id: user.id });
  });
}
