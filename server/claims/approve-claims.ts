import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { claimColumns, decidedClaims, type ClaimRow } from "./claim-view";
import { issueClaim } from "./issue-claim";

/**
 * Approves waiting claims and issues their credentials. If one claim fails, the others are still approved. Emits the
 * events of issuing. Leaves an audit entry for each claim.
 */
export const approveClaims = command({
  name: "claims.approve",
  scope: "credentials:issue",
  alsoScope: "subjects:write",
  input: z.strictObject({ ids: z.array(id("clm")).min(1, "must name a claim").max(100) }),
  async run(ctx, { ids }) {
    const rows = [];
    for (const each of ids) {
      try {
        const credentialId = await ctx.tx.savepoint(() => approve(ctx, each));
        rows.push({ id: publicId("clm", each), credentialId: publicId("crd", credentialId), error: null });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        rows.push({
          id: publicId("clm", each),
          credentialId: null,
          error: { code: error.code, message: error.message },
        });
      }
    }
    return decidedClaims(rows);
  },
});

/**
 * Locks the person before the claim, the order in which an erasure locks them, to avoid deadlocks. So the claim is not
 * locked while it is issued; the final UPDATE fails if somebody decided it in between.
 */
async function approve(ctx: TxCtx, claimId: Id<"clm">): Promise<Id<"crd">> {
  const [claim] = await ctx.tx.sql<ClaimRow & { template_id: Id<"tpl">; repeatable: boolean }>(
    `SELECT ${claimColumns
      .split(", ")
      .map((name) => `c.${name}`)
      .join(", ")}, l.template_id, t.repeatable FROM claims c
     JOIN claim_links l ON l.org_id = c.org_id AND l.id = c.claim_link_id
     JOIN templates t ON t.org_id = l.org_id AND t.id = l.template_id
     WHERE c.org_id = $1 AND c.id = $2`,
    [ctx.orgId, claimId],
  );
  if (!claim) throw notFound("claim", publicId("clm", claimId));
  if (claim.state !== "waiting") throw alreadyDecided(claim.state);
  const { subjectId, credentialId } = await issueClaim(ctx, {
    claimLinkId: claim.claim_link_id,
    templateId: claim.template_id,
    isRepeatable: claim.repeatable,
    email: claim.email,
    name: claim.display_name,
    data: claim.data,
  });
  const [decided] = await ctx.tx.sql(
    `UPDATE claims SET state = 'issued', subject_id = $3, credential_id = $4, decided_by = $5, decided_at = $6
     WHERE org_id = $1 AND id = $2 AND state = 'waiting' RETURNING 1`,
    [ctx.orgId, claimId, subjectId, credentialId, ctx.actor, ctx.now],
  );
  if (!decided) throw alreadyDecided("decided");
  await audit(
    ctx,
    "claim.approved",
    { type: "claim", id: publicId("clm", claimId) },
    { claimLinkId: publicId("clk", claim.claim_link_id), credentialId: publicId("crd", credentialId) },
  );
  return credentialId;
}

export const alreadyDecided = (state: string): DomainError =>
  new DomainError("conflict", `The claim was ${state} already. Load the list again.`);
