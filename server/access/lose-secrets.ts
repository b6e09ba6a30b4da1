import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { tellSignInChange } from "./account-mail";
import { audit } from "./audit";
import { membershipsOf } from "./memberships";

/**
 * Removes every authenticator app, where the master secret that encrypted their keys is lost, and recovery codes where
 * no passkey is left. Ends the people's sessions and tells them. Leaves an audit entry in each of their organisations.
 */
export async function removeLostAuthenticators(ctx: TxCtx): Promise<void> {
  const people = await ctx.tx.sql<{ id: Id<"usr"> }>(`DELETE FROM authenticator_apps RETURNING user_id AS id`);
  for (const { id } of people) {
    await ctx.tx.sql(`UPDATE users SET session_version = session_version + 1 WHERE id = $1`, [id]);
    await ctx.tx.sql(
      `DELETE FROM recovery_codes WHERE user_id = $1 AND NOT EXISTS (SELECT FROM passkeys WHERE user_id = $1)`,
      [id],
    );
    for (const { orgId } of await membershipsOf(ctx.tx.sql, id))
      await audit(
        { ...ctx, orgId },
        "user.second_factor_reset",
        { type: "user", id: publicId("usr", id) },
        { authenticatorApps: 1, passkeys: 0 },
      );
    await tellSignInChange(ctx.tx, ctx.now, id, "user.second_factor_reset");
  }
}

/** Ends the sign-ins under way: what single sign-on needs of them can be read no more. */
export async function endLostSignIns({ tx }: TxCtx): Promise<void> {
  await tx.sql(`DELETE FROM challenges`);
}

/** Gives up the e-mails that wait with a link: it can be read no more. */
export async function dropLostLinks({ tx }: TxCtx): Promise<void> {
  await tx.sql(`UPDATE account_mails SET state = 'failed', link = NULL WHERE link IS NOT NULL`);
}
