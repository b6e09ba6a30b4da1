import { z } from "zod";
import { createUser } from "@/server/access/create-user";
import { findLink, redeemLink } from "@/server/access/one-time-link";
import { hashPassword, newPassword, typedPassword } from "@/server/access/password";
import { checkPassword } from "@/server/access/sign-in";
import { admitted, type Visitor } from "@/server/access/visitor";
import { sql } from "@/server/core/db";
import { transaction } from "@/server/core/transaction";
import { newId } from "@/server/core/ids";
import { line, parseInput } from "@/server/core/input";
import { addMember } from "./add-member";

const acceptInput = z.strictObject({ token: z.string().max(200), name: line(200).default(""), password: typedPassword });

/**
 * Joins the organisation of an invitation. Whoever has no account yet makes one: `password` is then their new one. Whoever
 * has, shows with it that the account is theirs: a link alone adds nobody's account to an organisation.
 * @throws DomainError link_unusable, invalid_credentials, rate_limited, invalid_request.
 */
export async function acceptInvitation(visitor: Visitor, input: z.input<typeof acceptInput>) {
  const { token, name, password } = parseInput(acceptInput, input);
  const { email } = await findLink(token, visitor.now, "invite");
  const account = await accountFor(email!, password, visitor);
  return transaction(async (tx) => {
    const link = await redeemLink(tx, token, visitor.now, "invite");
    if (account.passwordHash !== null) await createUser(tx, { id: account.userId, email: email!, name, passwordHash: account.passwordHash, now: visitor.now });
    await addMember(admitted(visitor, tx, link.orgId!, account.userId), { userId: account.userId, role: link.role! });
    return { email: email!, orgId: link.orgId! };
  });
}

async function accountFor(email: string, password: string, visitor: Visitor): Promise<{ userId: string; passwordHash: string | null }> {
  const [user] = await sql(`SELECT 1 FROM users WHERE email = $1`, [email]);
  if (user) return { userId: (await checkPassword(email, password, visitor.address)).id, passwordHash: null };
  const { password: chosen } = parseInput(z.object({ password: newPassword }), { password });
  return { userId: newId("usr"), passwordHash: await hashPassword(chosen) };
}
