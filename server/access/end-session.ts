import { transaction } from "@/server/core/transaction";
import { audit } from "./audit";
import { liveSession, sessionSeconds, type SessionClaims } from "./console-session";
import { admitted, type Visitor } from "./visitor";

/**
 * Ends one session, at sign-out: its cookie opens nothing any more, wherever a copy of it is. Leaves an audit entry in the organisation that
 * it was in. A session that has ended already is left as it is.
 */
export async function endSession(visitor: Visitor, claims: SessionClaims): Promise<void> {
  const session = await liveSession(claims);
  if (!session) return;
  const { user, current } = session;
  await transaction(async (tx) => {
    // By then every cookie of it that is about has expired.
    const forgottenAt = new Date(visitor.now.getTime() + sessionSeconds * 1000);
    await tx.sql(`INSERT INTO ended_sessions (id, expires_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, [claims.sessionId, forgottenAt]);
    if (current) await audit(admitted(visitor, tx, current.orgId, user.id), "session.ended", { type: "user", id: user.id });
  });
}
