import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { audit } from "./audit";
import { membershipsOf } from "./memberships";
import { createLink } from "./one-time-link";
import { emailAddress } from "./password";

/**
 * Creates a link to choose a new password. Operator only: an account can belong to several organisations, so no
 * organisation's admin may take it over. Leaves an audit entry in each of them.
 */
export const createPasswordReset = command({
  name: "users.reset_password",
  scope: "members:owners",
  input: z.strictObject({ email: emailAddress }),
  async run(ctx, { email }) {
    if (ctx.actor.type !== "operator")
      throw new DomainError("insufficient_scope", "Only the operator of this service resets passwords.");
    const [user] = await ctx.tx.sql<{ id: Id<"usr"> }>(`SELECT id FROM users WHERE email = $1`, [email]);
    if (!user) throw new DomainError("not_found", `There is no account with the e-mail address ${email}.`);
    const link = await createLink(ctx.tx, ctx.now, { purpose: "password_reset", email });
    for (const { orgId } of await membershipsOf(ctx.tx.sql, user.id)) {
      await audit({ ...ctx, orgId }, "user.password_reset_created", { type: "user", id: publicId("usr", user.id) });
    }
    return { email, url: link.url, expiresAt: link.expiresAt.toISOString() };
  },
});
