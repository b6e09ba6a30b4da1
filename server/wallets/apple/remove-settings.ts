import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { appleSettingsTag, appleSettingsView, findSettings } from "./settings";

/**
 * Removes the organisation's certificate and key for Apple Wallet. Passes on phones stay as they are and are no longer
 * updated. Leaves an audit entry if there were settings.
 */
export const removeAppleSettings = command({
  name: "wallets.apple.remove",
  scope: "settings:write",
  input: z.strictObject({ ifMatch }),
  async run(ctx, input) {
    const before = await findSettings(ctx.tx.sql, ctx.orgId, "FOR UPDATE");
    requireMatch(input.ifMatch, appleSettingsTag(appleSettingsView(before, ctx.now)));
    const [removed] = await ctx.tx.sql<{ pass_type_id: string }>(
      `DELETE FROM apple_wallet_settings WHERE org_id = $1 RETURNING pass_type_id`,
      [ctx.orgId],
    );
    if (removed)
      await audit(
        ctx,
        "wallet.apple_removed",
        { type: "organisation", id: publicId("org", ctx.orgId) },
        { passTypeId: removed.pass_type_id },
      );
    return appleSettingsView(undefined, ctx.now);
  },
});
