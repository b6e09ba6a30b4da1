import type { Tx } from "@/server/core/transaction";
import { audit } from "../audit";
import type { ConsoleSession } from "../console-session";
import { admitted, type Visitor } from "../visitor";

type Action =
  | "user.authenticator_app_added" | "user.authenticator_app_removed" | "user.passkey_added" | "user.passkey_renamed" | "user.passkey_removed" | "user.recovery_codes_made"
  | "user.sso_connected" | "user.sso_disconnected";

/** Leaves an audit entry in each organisation of a person who changed how they sign in. */
export async function auditFactor(visitor: Visitor, tx: Tx, { user, memberships }: Pick<ConsoleSession, "user" | "memberships">, action: Action, detail = {}): Promise<void> {
  for (const { orgId } of memberships) await audit(admitted(visitor, tx, orgId, user.id), action, { type: "user", id: user.id }, detail);
}
