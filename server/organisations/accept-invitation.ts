import { z } from "zod";
import { createUser } from "@/server/access/create-user";
import { redeemInvitation } from "@/server/access/invitations";
import { admitLinkAttempt, forgiveLinkAttempt } from "@/server/access/link-limit";
import { findLink, type Link } from "@/server/access/one-time-link";
import { hashNewPassword, newPassword, typedPassword } from "@/server/access/password";
import { checkPassword } from "@/server/access/sign-in";
import { takeOverAccount } from "@/server/access/take-over-account";
import { markVerified } from "@/server/access/verify-email";
import { admitted, type Visitor } from "@/server/access/visitor";
import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { visitorCommand } from "@/server/core/operation";
import type { Tx } from "@/server/core/transaction";
import { newId, publicId, type Id } from "@/server/core/ids";
import { line, parseInput } from "@/server/core/input";
import { addMember } from "./add-member";

/**
 * Joins the organisation of an invitation.
 * A person without an account creates one: `password` is its new password. A person with an account proves with
 * `password` that it is theirs, because a link alone must not add an account to an organisation. A mailed link verifies
 * the address. With `takeOver`, a mailed link gives an account with an unverified address to the person who reads its
 * mail.
 *
 * @throws DomainError link_unusable, invalid_credentials, rate_limited, invalid_request.
 */
export const acceptInvitation = visitorCommand({
  name: "members.accept_invitation",
  input: z.strictObject({
    token: z.string().max(200),
    name: line(200).default(""),
    password: typedPassword,
    /**
     * Set by a reader who does not know the password of the account with their address: `password` becomes its new one.
     */
    takeOver: z.boolean().default(false),
  }),
  async prepare(visitor, { token, password, takeOver }) {
    admitLinkAttempt(visitor);
    const link = await findLink(token, visitor.now, "invite");
    return accountFor(link, password, takeOver, visitor);
  },
  async run(visitor, tx, { token, name }, account) {
    const link = await redeemInvitation(tx, token, visitor.now);
    const userId = await prepareAccount(visitor, tx, link, name, account);
    await addMember(admitted(visitor, tx, link.orgId!, userId), { userId, role: link.role! });
    if (link.mailed) await markVerified(visitor, tx, link.email!);
    forgiveLinkAttempt(visitor);
    return { email: link.email!, orgId: publicId("org", link.orgId!) };
  },
});

async function prepareAccount(
  visitor: Visitor,
  tx: Tx,
  { email, mailed }: Link,
  name: string,
  account: Account,
): Promise<Id<"usr">> {
  if (account.kind === "own") {
    // The password was checked before: meanwhile it may have been changed, or the account disabled.
    const [same] = await tx.sql(
      `SELECT 1 FROM users WHERE id = $1 AND session_version = $2 AND disabled_at IS NULL FOR SHARE`,
      [account.userId, account.sessionVersion],
    );
    if (!same) throw new DomainError("invalid_credentials", "The e-mail address or the password is wrong.");
    return account.userId;
  }
  if (account.kind === "new") {
    const id = newId("usr");
    await createUser(tx, {
      id,
      email: email!,
      name,
      passwordHash: account.passwordHash,
      isVerified: mailed,
      now: visitor.now,
    });
    return id;
  }
  const userId = mailed ? await takeOverAccount(visitor, tx, email!, account.passwordHash) : null;
  if (!userId)
    throw new DomainError(
      "invalid_credentials",
      "This account belongs to someone who verified its address. Enter its password.",
    );
  return userId;
}

type Account =
  | { kind: "own"; userId: Id<"usr">; sessionVersion: number }
  | { kind: "new" | "taken-over"; passwordHash: string };

async function accountFor(
  { email, orgId }: Link,
  password: string,
  takeOver: boolean,
  visitor: Visitor,
): Promise<Account> {
  const [[user], [organisation]] = await Promise.all([
    sql(`SELECT 1 FROM users WHERE email = $1`, [email]),
    sql<{ name: string }>(`SELECT name FROM organisations WHERE id = $1`, [orgId]),
  ]);
  if (user && !takeOver) {
    const { id: userId, session_version: sessionVersion } = await checkPassword(visitor, email!, password);
    return { kind: "own", userId, sessionVersion };
  }
  const { password: chosen } = parseInput(z.object({ password: newPassword }), { password });
  return {
    kind: user ? "taken-over" : "new",
    passwordHash: await hashNewPassword(chosen, { email: email!, organisations: [organisation!.name] }),
  };
}
