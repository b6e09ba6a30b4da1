import { z } from "zod";
import { sql } from "@/server/core/db";
import { visitorCommand } from "@/server/core/operation";
import { findLink, redeemLink } from "./one-time-link";
import { admitLinkAttempt, forgiveLinkAttempt } from "./link-limit";
import { hashNewPassword, newPassword } from "./password";
import { setPassword } from "./set-password";
import { markVerified } from "./verify-email";

/**
 * Sets a new password by a one-time link. Ends every session of the account at once. Second factors stay and are asked
 * for at the next sign-in. Leaves audit entries.
 */
export const resetPassword = visitorCommand({
  name: "users.reset_own_password",
  input: z.strictObject({ token: z.string().max(200), password: newPassword }),
  async prepare(visitor, { token, password }) {
    admitLinkAttempt(visitor);
    const { email } = await findLink(token, visitor.now, "password_reset");
    return hashNewPassword(password, { email: email!, organisations: await organisationNames(email!) });
  },
  async run(visitor, tx, { token }, passwordHash) {
    const { email, mailed } = await redeemLink(tx, token, visitor.now, "password_reset");
    if (mailed) await markVerified(visitor, tx, email!);
    await setPassword(visitor, tx, { email: email!, passwordHash });
    forgiveLinkAttempt(visitor);
    return { email: email! };
  },
});

async function organisationNames(email: string): Promise<string[]> {
  const rows = await sql<{ name: string }>(
    `SELECT o.name FROM organisations o JOIN memberships m ON m.org_id = o.id JOIN users u ON u.id = m.user_id WHERE u.email = $1`,
    [email],
  );
  return rows.map((row) => row.name);
}
