import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { erasedReason } from "@/server/credentials/insert-credentials";

/**
 * Blanks what the person entered under claim links. A waiting claim is rejected; the address of each claim is replaced
 * by its id.
 */
export async function blankClaims(ctx: TxCtx, subjectId: Id<"sub">, email: string | null): Promise<void> {
  const address = email?.toLowerCase() ?? "";
  const rejected = await ctx.tx.sql<{ claim_link_id: Id<"clk"> }>(
    `UPDATE claims SET state = 'rejected', decided_by = $4, decided_at = $5
     WHERE org_id = $1 AND (subject_id = $2 OR email = $3) AND state = 'waiting' RETURNING claim_link_id`,
    [ctx.orgId, subjectId, address, ctx.actor, ctx.now],
  );
  await ctx.tx.sql(
    `UPDATE claims SET email = id::text, display_name = '', data = '{}', reason = CASE WHEN state = 'rejected' THEN $4 END
     WHERE org_id = $1 AND (subject_id = $2 OR email = $3)`,
    [ctx.orgId, subjectId, address, erasedReason],
  );
  for (const { claim_link_id } of rejected)
    await ctx.tx.sql(`UPDATE claim_links SET claimed = claimed - 1 WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      claim_link_id,
    ]);
}
