import { publicId } from "@/server/core/ids";
import type { Tx } from "@/server/core/transaction";
import { tellSignInChange, type SignInChange } from "../account-mail";
import { audit } from "../audit";
import type { ConsoleSession } from "../console-session";
import { admitted, type Visitor } from "../visitor";

type Action = SignInChange | "user.passkey_renamed";

/**
 * Leaves an audit entry in each organisation of a person who changed how they sign in, and tells the person by e-mail.
 * Renaming a passkey sends no e-mail.
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
