import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";
import { confirmationFactsOf, loadConfirmations, lockWaiting } from "./confirmation";

/**
 * Cancels requests to confirm a name; those that were decided stay as they are. A claim that waits for the name is
 * rejected with the same reason, and its place is free again. Emits name_confirmation.cancelled.
 *
 * @returns the ids of the cancelled requests
 */
export async function cancelConfirmations(ctx: TxCtx, ids: Id<"ncf">[], reason: string): Promise<Id<"ncf">[]> {
  const done = await lockWaiting(ctx, ids);
  if (done.length === 0) return [];
  ctx.tx.send(
    `UPDATE name_confirmations SET state = 'cancelled', reason = $3, decided_by = $4, decided_at = $5, updated_at = $5
     FROM unnest($2::uuid[]) AS given (id) WHERE org_id = $1 AND name_confirmations.id = given.id`,
    [ctx.orgId, done, reason, ctx.actor, ctx.now],
  );
  await ctx.tx.sql(
    `WITH rejected AS (
       UPDATE claims c SET state = 'rejected', reason = $3, decided_by = coalesce(c.decided_by, $4), decided_at = $5
       FROM unnest($2::uuid[]) AS given (id) WHERE c.org_id = $1 AND c.confirmation_id = given.id AND c.state = 'confirming'
       RETURNING c.claim_link_id
     )
     UPDATE claim_links l SET claimed = l.claimed - freed.n FROM (SELECT claim_link_id, count(*)::int AS n FROM rejected GROUP BY 1) freed
     WHERE l.org_id = $1 AND l.id = freed.claim_link_id`,
    [ctx.orgId, done, reason, ctx.actor, ctx.now],
  );
  const rows = await loadConfirmations(ctx, done);
  await appendAll(
    ctx,
    done.map((id) => ({
      type: "name_confirmation.cancelled" as const,
      resourceId: id,
      object: confirmationFactsOf(rows.get(id)!),
    })),
  );
  return done;
}
