import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { tellSignInChange } from "../account-mail";
import { audit } from "../audit";
import { membershipsOf } from "../memberships";
import { emailAddress } from "../password";

/**
 * Removes every second factor of an account whose owner lost them, and ends its sessions. Operator only: an account can
 * belong to several organisations, so no organisation's admin may weaken it. Leaves an audit entry in each of them.
 */
export const resetSecondFactor = command({
  name: "users.reset_second_factor",
  scope: "members:owners",
  input: z.strictObject({ email: emailAddress }),
  async run(ctx, { email }) {
    if (ctx.actor.type !== "operator")
      throw new DomainError("insufficient_scope", "Only the operator of this service resets second factors.");
    const { sql } = ctx.tx;
    const [user] = await sql<{ id: Id<"usr"> }>(
      `UPDATE users SET session_version = session_version + 1 WHERE email = $1 RETURNING id`,
      [email],
    );
    if (!user) throw new DomainError("not_found", `There is no account with the e-mail address ${email}.`);
    const apps = await sql(`DELETE FROM authenticator_apps WHERE user_id = $1 RETURNING 1`, [user.id]);
    const passkeys = await sql(`DELETE FROM passkeys WHERE user_id = $1 RETURNING 1`, [user.id]);
    await sql(`DELETE FROM recovery_codes WHERE user_id = $1`, [user.id]);
    for (const { orgId } of await membershipsOf(sql, user.id)) {
      await audit(
        { ...ctx, orgId },
        "user.second_factor_reset",
        { type: "user", id: publicId("usr", user.id) },
        { authenticatorApps: apps.length, passkeys: passkeys.length },
      );
    }
    await tellSignInChange(ctx.tx, ctx.now, user.id, "user.second_factor_reset");
    return { email, authenticatorApps: apps.length, passkeys: passkeys.length };
  },
});
