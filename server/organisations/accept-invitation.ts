import { z } from "zod";
import { createUser } from "@/server/access/create-user";
import { findLink, redeemLink } from "@/server/access/one-time-link";
import { hashPassword, newPassword, typedPassword } from "@/server/access/password";
import { checkPassword } from "@/server/access/sign-in";
import { admitted, type Visitor } from "@/server/access/visitor";
import { sql } from "@/server/core/db";
import { visitorCommand } from "@/server/core/operation";
import { newId } from "@/server/core/ids";
import { line, parseInput } from "@/server/core/input";
import { addMember } from "./add-member";

/**
 * Joins the organisation of an invitation. Whoever has no account yet makes one: `password` is then their new one. Whoever
 * has, shows with it that the account is theirs: a link alone adds nobody's account to an organisation.
 * @throws DomainError link_unusable, invalid_credentials, rate_limited, invalid_request.
 */
export const acceptInvitation = visitorCommand({
  name: "members.accept_invitation",
  input: z.strictObject({ token: z.string().max(200), name: line(200).default(""), password: typedPassword }),
  async prepare(visitor, { token, password }) {
    const { email } = await findLink(token, visitor.now, "invite");
    return accountFor(email!, password, visitor);
  },
  async run(visitor, tx, { token, name }, account) {
    const { orgId, role, email } = await redeemLink(tx, token, visitor.now, "invite");
    if (account.passwordHash !== null) await createUser(tx, { id: account.userId, email: email!, name, passwordHash: account.passwordHash, now: visitor.now });
    await addMember(admitted(visitor, tx, orgId!, account.userId), { userId: account.userId, role: role! });
    return { email: email!, orgId: orgId! };
  },
});

async function accountFor(email: string, password: string, visitor: Visitor): Promise<{ userId: string; passwordHash: string | null }> {
  const [user] = await sql(`SELECT 1 FROM users WHERE email = $1`, [email]);
  if (user) return { userId: (await checkPassword(email, password, visitor.address)).id, passwordHash: null };
  const { password: chosen } = parseInput(z.object({ password: newPassword }), { password });
  return { userId: newId("usr"), passwordHash: await hashPassword(chosen) };
}
