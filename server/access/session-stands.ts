import { DomainError } from "@/server/core/errors";
import type { Tx } from "@/server/core/transaction";
import type { ConsoleSession } from "./console-session";

/**
 * Checks in a transaction that a session is still live. The password check before it may have taken a second, in which
 * the session was ended, the password changed or the account disabled. Locks the person first, so that two changes of
 * one account run one after another, and the session, so that a change that ends it waits for this one.
 *
 * @throws DomainError unauthenticated
 */
export async function requireLiveSession(tx: Tx, { user, sessionId }: ConsoleSession, now: Date): Promise<void> {
  const [stands] = await tx.sql(
    `SELECT 1 FROM users u JOIN console_sessions s ON s.user_id = u.id AND s.session_version = u.session_version
     WHERE u.id = $1 AND u.disabled_at IS NULL AND s.id = $2 AND s.ended_at IS NULL AND s.expires_at > $3
     FOR NO KEY UPDATE OF u FOR SHARE OF s`,
    [user.id, sessionId, now],
  );
  if (!stands)
    throw new DomainError(
      "unauthenticated",
      "Your session ended in the meantime, and nothing was changed. Sign in again.",
    );
}
