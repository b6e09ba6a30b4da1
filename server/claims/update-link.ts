import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { publicId } from "@/server/core/ids";
import { id, invalidInput } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { linkFields } from "./input";
import { loadLink } from "./load";
import { claimLinkTag, claimLinkView } from "./view";

/**
 * Changes a claim link. Existing claims stay as they are. Leaves an audit entry if anything changed.
 *
 * @throws DomainError invalid_request if maxClaims is lower than the number of places taken
 */
export const updateClaimLink = command({
  name: "claim_links.update",
  scope: "credentials:issue",
  alsoScope: "subjects:write",
  input: z.strictObject({ id: id("clk"), ifMatch, ...linkFields }),
  tag: claimLinkTag,
  async run(ctx, input) {
    // Claims lock this row too, so no place is taken between the check and the change.
    const before = await loadLink(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, claimLinkTag(claimLinkView(before, ctx.now)));
    if (typeof input.maxClaims === "number" && input.maxClaims < before.claimed)
      throw invalidInput([
        {
          pointer: "/maxClaims",
          code: "too_small",
          message: `must be at least ${before.claimed}, the number of places that are taken`,
        },
      ]);
    const fields = input.fields === undefined ? before.fields : input.fields;
    const changed = await ctx.tx.sql(
      `UPDATE claim_links SET name = $3, max_claims = $4, expires_at = $5, approval = $6, fields = $7::jsonb, updated_at = $8
       WHERE org_id = $1 AND id = $2 AND (name, max_claims, expires_at, approval, fields) IS DISTINCT FROM ($3, $4, $5, $6, $7::jsonb) RETURNING 1`,
      [
        ctx.orgId,
        before.id,
        input.name || before.name,
        input.maxClaims === undefined ? before.max_claims : input.maxClaims,
        input.expiresAt === undefined ? before.expires_at : input.expiresAt,
        input.approval ?? before.approval,
        fields ? JSON.stringify(fields) : null,
        ctx.now,
      ],
    );
    if (changed.length === 0) return claimLinkView(before, ctx.now);
    await audit(ctx, "claim_link.updated", { type: "claim_link", id: publicId("clk", before.id) });
    return claimLinkView(await loadLink(ctx, before.id), ctx.now);
  },
});
