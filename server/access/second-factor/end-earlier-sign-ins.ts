import type { Tx } from "@/server/core/transaction";
import type { ConsoleSession } from "../console-session";

/** Ends the person's other sessions and unfinished sign-ins, since they began with the earlier second factors. */
export async function endEarlierSignIns(tx: Tx, { user, sessionId }: ConsoleSession, now: Date): Promise<void> {
  await tx.sql(`UPDATE console_sessions SET ended_at = $3 WHERE user_id = $1 AND id <> $2 AND ended_at IS NULL`, [
    user.id,
    sessionId,
    now,
  ]);
  await tx.sql(`DELETE FROM challenges WHERE user_id = $1 AND purpose = 'sign_in'`, [user.id]);
}
