import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { lockIssuer } from "./load";
import { recipientIdentities, recipientIdentityMeaning } from "./recipient-identity";
import { issuerTag, issuerView } from "./view";

/**
 * Changes how signed documents identify their holders. Each document is signed again at the next request; copies that
 * were handed out stay valid. Leaves an audit entry; none if nothing changes.
 */
export const updateIssuer = command({
  name: "issuers.update",
  scope: "settings:write",
  input: z.strictObject({
    recipientIdentity: z.enum(recipientIdentities).optional().meta({ description: recipientIdentityMeaning }),
    ifMatch,
  }),
  tag: issuerTag,
  async run(ctx, { recipientIdentity, ifMatch: sent }) {
    const before = await lockIssuer(ctx);
    requireMatch(sent, issuerTag(issuerView(ctx.orgId, before)));
    const from = before.recipient_identity;
    if (recipientIdentity === undefined || recipientIdentity === from) return issuerView(ctx.orgId, before);
    await ctx.tx.sql(`UPDATE organisations SET recipient_identity = $2 WHERE id = $1`, [ctx.orgId, recipientIdentity]);
    await audit(
      ctx,
      "issuer.updated",
      { type: "organisation", id: publicId("org", ctx.orgId) },
      { recipientIdentity: { from, to: recipientIdentity } },
    );
    return issuerView(ctx.orgId, { ...before, recipient_identity: recipientIdentity });
  },
});
