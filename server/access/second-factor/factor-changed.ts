import { publicId } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";
import { tellSignInChange, type SignInChange } from "../account-mail";
import { audit } from "../audit";
import type { ConsoleSession } from "../console-session";
import { admitted, type Visitor } from "../visitor";

type Action = SignInChange | "user.passkey_renamed";

/**
 * Records that a person changed how they sign in, and tells them by e-mail. Leaves an audit entry in each of their
 * organisations. Renaming a passkey sends no e-mail.
 */
export async function auditFactor(
  visitor: Visitor,
  tx: Tx,
  { user, memberships }: Pick<ConsoleSession, "user" | "memberships">,
  action: Action,
  detail = {},
): Promise<void> {
  for (const { orgId } of memberships)
    await audit(admitted(visitor, tx, orgId, user.id), action, { type: "user", id: publicId("usr", user.id) }, detail);
  if (action !== "user.passkey_renamed") await tellSignInChange(tx, visitor.now, user.id, action);
}
