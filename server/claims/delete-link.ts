import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadLink } from "./load";
import { claimLinkTag, claimLinkView } from "./view";

/**
 * Deletes a claim link. Its page then says that the offer has ended. Claimed credentials stay. Leaves an audit entry.
 *
 * @throws DomainError claims_waiting while claims wait for a decision
 */
export const deleteClaimLink = command({
  name: "claim_links.delete",
  scope: "credentials:issue",
  alsoScope: "subjects:write",
  input: z.strictObject({ id: id("clk"), ifMatch }),
  async run(ctx, input) {
    const link = await loadLink(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, claimLinkTag(claimLinkView(link, ctx.now)));
    if (link.waiting > 0)
      throw new DomainError(
        "claims_waiting",
        `${link.waiting === 1 ? "One claim waits" : `${link.waiting} claims wait`} for a decision. Approve or reject first. To stop new claims now, set expiresAt to the current time.`,
      );
    await ctx.tx.sql(`UPDATE claim_links SET deleted_at = $3, updated_at = $3 WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      link.id,
      ctx.now,
    ]);
    await audit(ctx, "claim_link.deleted", { type: "claim_link", id: publicId("clk", link.id) });
  },
});
