import { DomainError } from "@/server/core/errors";
import { newId, publicId, type Id } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";
import { audit } from "./audit";
import { absoluteSessionSeconds } from "./console-session";
import { membershipsOf } from "./memberships";
import { admitted, type Visitor } from "./visitor";

/** The facts of a new console session. `sessionVersion` is compared at each request. */
export interface SignedIn {
  /** The id of this session, so that signing out ends only this one. */
  sessionId: Id<"ses">;
  userId: Id<"usr">;
  sessionVersion: number;
  /** The organisation to begin in: the first joined; null for someone without an organisation. */
  orgId: Id<"org"> | null;
}

/** A proof of a person's identity: the first factor, or the second if one was required. */
export type Proof = "password" | "sso" | "authenticator_app" | "recovery_code" | "passkey";

/**
 * Starts a session for a person whose proofs were checked. Leaves an audit entry in the organisation that it begins in.
 *
 * @throws DomainError invalid_credentials if the account is disabled.
 */
export async function startSession(
  visitor: Visitor,
  tx: Tx,
  user: { id: Id<"usr">; sessionVersion: number },
  proofs: Proof[],
): Promise<SignedIn> {
  const [enabled] = await tx.sql(`SELECT 1 FROM users WHERE id = $1 AND disabled_at IS NULL`, [user.id]);
  if (!enabled) throw new DomainError("invalid_credentials", "The e-mail address or the password is wrong.");
  const memberships = await membershipsOf(tx.sql, user.id);
  const first = memberships.find((each) => !each.suspended) ?? memberships[0];
  if (first)
    await audit(
      admitted(visitor, tx, first.orgId, user.id),
      "session.started",
      { type: "user", id: publicId("usr", user.id) },
      { proofs },
    );
  // A browser has one session, so the previous one ends, even if it was another person's.
  if (visitor.sessionId)
    await tx.sql(`UPDATE console_sessions SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL`, [
      visitor.sessionId,
      visitor.now,
    ]);
  const sessionId = newId("ses");
  await tx.sql(
    `INSERT INTO console_sessions (id, user_id, session_version, address, user_agent, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $6, $7)`,
    [
      sessionId,
      user.id,
      user.sessionVersion,
      visitor.address,
      (visitor.userAgent ?? "").slice(0, 400),
      visitor.now,
      new Date(visitor.now.getTime() + absoluteSessionSeconds * 1000),
    ],
  );
  return { sessionId, userId: user.id, sessionVersion: user.sessionVersion, orgId: first?.orgId ?? null };
}
