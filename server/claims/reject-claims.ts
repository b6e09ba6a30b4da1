import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { id, line } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { alreadyDecided } from "./approve-claims";
import { decidedClaims, type ClaimState } from "./claim-view";
import { findLink } from "./find-link";
import { tellDecision } from "./tell-decision";

/**
 * Rejects waiting claims with a reason that is shown to the claimant. Frees their places; the address cannot claim again
 * through the same link. Leaves an audit entry for each claim.
 */
export const rejectClaims = command({
  name: "claims.reject",
  scope: "credentials:issue",
  alsoScope: "subjects:write",
  input: z.strictObject({
    ids: z.array(id("clm")).min(1, "must name a claim").max(100),
    reason: line(500).min(1, "must not be empty").meta({ description: "The reason, which is shown to the claimant." }),
  }),
  async run(ctx, { ids, reason }) {
    const rows = [];
    for (const each of ids) {
      try {
        await ctx.tx.savepoint(() => reject(ctx, each, reason));
        rows.push({ id: publicId("clm", each), credentialId: null, error: null });
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

async function reject(ctx: TxCtx, claimId: Id<"clm">, reason: string): Promise<void> {
  const [rejected] = await ctx.tx.sql<{ claim_link_id: Id<"clk">; email: string; locale: string }>(
    `UPDATE claims SET state = 'rejected', reason = $3, decided_by = $4, decided_at = $5
     WHERE org_id = $1 AND id = $2 AND state = 'waiting' RETURNING claim_link_id, email, locale`,
    [ctx.orgId, claimId, reason, ctx.actor, ctx.now],
  );
  if (!rejected) {
    const [found] = await ctx.tx.sql<{ state: ClaimState }>(`SELECT state FROM claims WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      claimId,
    ]);
    throw found ? alreadyDecided(found.state) : notFound("claim", publicId("clm", claimId));
  }
  const [freed] = await ctx.tx.sql<{ code: string }>(
    `UPDATE claim_links SET claimed = claimed - 1 WHERE org_id = $1 AND id = $2 RETURNING code`,
    [ctx.orgId, rejected.claim_link_id],
  );
  const link = await findLink(freed!.code, ctx.now, ctx.tx.sql);
  if (link) await tellDecision(ctx, link, { ...rejected, id: claimId }, { reason });
  await audit(
    ctx,
    "claim.rejected",
    { type: "claim", id: publicId("clm", claimId) },
    { claimLinkId: publicId("clk", rejected.claim_link_id) },
  );
}
