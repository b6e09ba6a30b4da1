import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { tellSignInChange } from "./account-mail";
import { audit } from "./audit";
import { membershipsOf } from "./memberships";

/**
 * Removes every authenticator app, after the loss of the master secret that encrypted their keys. Also removes the
 * recovery codes of people who have no passkey, ends these people's sessions and tells them. Leaves an audit entry in
 * each of their organisations.
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

/** Ends sign-ins in progress: their encrypted single sign-on state can no longer be read. */
export async function endLostSignIns({ tx }: TxCtx): Promise<void> {
  await tx.sql(`DELETE FROM challenges`);
}

/** Marks waiting e-mails that contain an encrypted link as failed: the link can no longer be read. */
export async function dropLostLinks({ tx }: TxCtx): Promise<void> {
  await tx.sql(`UPDATE account_mails SET state = 'failed', link = NULL WHERE link IS NOT NULL`);
}
