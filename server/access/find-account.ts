import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { audit } from "./audit";
import { membershipsOf } from "./memberships";

export interface Account {
  id: Id<"usr">;
  email: string;
  disabledAt: Date | null;
}

/**
 * Loads the account with this e-mail address and locks it.
 *
 * @throws DomainError not_found
 */
export async function findAccount(ctx: TxCtx, email: string): Promise<Account> {
  const [account] = await ctx.tx.sql<Account>(
    `SELECT id, email, disabled_at AS "disabledAt" FROM users WHERE email = $1 FOR UPDATE`,
    [email],
  );
  if (!account) throw new DomainError("not_found", `There is no account with the e-mail address ${email}.`);
  return account;
}

/** Leaves an audit entry about the account in each organisation that it belongs to. */
export async function auditAccount(ctx: TxCtx, userId: Id<"usr">, action: string): Promise<void> {
  for (const { orgId } of await membershipsOf(ctx.tx.sql, userId))
    await audit({ ...ctx, orgId }, action, { type: "user", id: publicId("usr", userId) });
}
