import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/**
 * Gives an endpoint with a rate limit the row that claims lock, so that two at once do not both send what only one may
 * (claim.ts).
 */
export function ensureRateLimitRow(ctx: TxCtx, endpointId: Id<"whe">): void {
  ctx.tx.send(`INSERT INTO webhook_paces (org_id, endpoint_id, next_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, [
    ctx.orgId,
    endpointId,
    ctx.now,
  ]);
}
