import { DomainError } from "@/server/core/errors";
import { newId } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";
import { audit } from "./audit";
import { membershipsOf } from "./memberships";
import { admitted, type Visitor } from "./visitor";

/** What a session of the console rests on. `sessionVersion` is compared at each request. */
export interface SignedIn {
  /** Of this one session, so that signing out ends it and no other. */
  sessionId: string;
  userId: string;
  sessionVersion: number;
  /** The organisation to begin in: the first joined. Null for someone who was removed from all. */
  orgId: string | null;
}

/** How a person showed who they are: the first factor, and the second where one was asked for. */
export type Proof = "password" | "sso" | "authenticator_app" | "recovery_code" | "passkey";

/**
 * Starts a session for a person whose proofs were checked. Leaves an audit entry in the organisation that it begins in.
 * @throws DomainError invalid_credentials where the account is disabled.
 */
export async function startSession(visitor: Visitor, tx: Tx, user: { id: string; sessionVersion: number }, proofs: Proof[]): Promise<SignedIn> {
  const [enabled] = await tx.sql(`SELECT 1 FROM users WHERE id = $1 AND disabled_at IS NULL`, [user.id]);
  if (!enabled) throw new DomainError("invalid_credentials", "The e-mail address or the password is wrong.");
  const memberships = await membershipsOf(tx.sql, user.id);
  const first = memberships.find((each) => !each.suspended) ?? memberships[0];
  if (first) await audit(admitted(visitor, tx, first.orgId, user.id), "session.started", { type: "user", id: user.id }, { proofs });
  return { sessionId: newId("ses"), userId: user.id, sessionVersion: user.sessionVersion, orgId: first?.orgId ?? null };
}
