import { z } from "zod";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { auditAccount, findAccount } from "./find-account";
import { requireOperator } from "./operator";
import { emailAddress } from "./password";

/** Lets a disabled account sign in again. Operator only. Leaves an audit entry in each of its organisations. */
export const enableUser = command({
  name: "users.enable",
  scope: "members:owners",
  input: z.strictObject({ email: emailAddress }),
  async run(ctx, { email }) {
    requireOperator(ctx, "enables accounts");
    const account = await findAccount(ctx, email);
    if (!account.disabledAt) return { id: publicId("usr", account.id), email, disabled: false };
    await ctx.tx.sql(`UPDATE users SET disabled_at = NULL, updated_at = $2 WHERE id = $1`, [account.id, ctx.now]);
    await auditAccount(ctx, account.id, "user.enabled");
    return { id: publicId("usr", account.id), email, disabled: false };
  },
});
