import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { findGoogleSettings, googleSettingsTag, googleSettingsView } from "./settings";

/**
 * Removes the organisation's service account for Google Wallet. Passes on phones stay as they are and are no longer
 * updated. Leaves an audit entry if there were settings.
 */
export const removeGoogleSettings = command({
  name: "wallets.google.remove",
  scope: "settings:write",
  input: z.strictObject({ ifMatch }),
  async run(ctx, input) {
    const before = await findGoogleSettings(ctx.tx.sql, ctx.orgId, "FOR UPDATE");
    requireMatch(input.ifMatch, googleSettingsTag(googleSettingsView(before)));
    const [removed] = await ctx.tx.sql<{ issuer_id: string }>(
      `DELETE FROM google_wallet_settings WHERE org_id = $1 RETURNING issuer_id`,
      [ctx.orgId],
    );
    if (removed)
      await audit(
        ctx,
        "wallet.google_removed",
        { type: "organisation", id: publicId("org", ctx.orgId) },
        { issuerId: removed.issuer_id },
      );
    return googleSettingsView(undefined);
  },
});
