import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/**
 * Ensures that an endpoint with a rate limit has its row in `webhook_paces`. Claims lock this row, so that two claims
 * at once do not exceed the limit (claim.ts).
 */
export function ensureRateLimitRow(ctx: TxCtx, endpointId: Id<"whe">): void {
  ctx.tx.send(`INSERT INTO webhook_paces (org_id, endpoint_id, next_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, [
    ctx.orgId,
    endpointId,
    ctx.now,
  ]);
}
