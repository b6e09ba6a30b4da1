import { z } from "zod";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { auditAccount, findAccount } from "./find-account";
import { requireOperator } from "./operator";
import { emailAddress } from "./password";

/**
 * Ends every session of an account, on all devices. Operator only. Leaves an audit entry in each of its organisations.
 */
export const endUserSessions = command({
  name: "users.end_sessions",
  scope: "members:owners",
  input: z.strictObject({ email: emailAddress }),
  async run(ctx, { email }) {
    requireOperator(ctx, "ends other people's sessions");
    const account = await findAccount(ctx, email);
    await ctx.tx.sql(`UPDATE users SET session_version = session_version + 1 WHERE id = $1`, [account.id]);
    await auditAccount(ctx, account.id, "session.all_ended");
    return { id: publicId("usr", account.id), email };
  },
});
