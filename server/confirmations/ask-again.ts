import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { confirmationFactsOf, loadConfirmations, lockWaiting } from "@/server/credentials/confirmation";
import { linkMs, newToken } from "@/server/credentials/misdirected";
import { appendAll } from "@/server/events/append";

/**
 * Creates new links for the waiting ones among the requests; their earlier links stop working. Emits
 * name_confirmation.requested.
 */
export async function askAgain(ctx: TxCtx, ids: Id<"ncf">[]): Promise<void> {
  const waiting = await lockWaiting(ctx, ids);
  if (waiting.length === 0) return;
  await ctx.tx.sql(
    `UPDATE name_confirmations n SET token = given.token, link_expires_at = $4, updated_at = $5
     FROM unnest($2::uuid[], $3::text[]) AS given (id, token) WHERE n.org_id = $1 AND n.id = given.id`,
    [ctx.orgId, waiting, waiting.map(newToken), new Date(ctx.now.getTime() + linkMs), ctx.now],
  );
  const rows = await loadConfirmations(ctx, waiting);
  await appendAll(
    ctx,
    [...rows.values()].map((row) => ({
      type: "name_confirmation.requested" as const,
      resourceId: row.id,
      object: confirmationFactsOf(row),
    })),
  );
}

/**
 * Asks a person again after a decision on their request for another name: the new or the old name must be confirmed.
 */
export async function askPersonAgain(ctx: TxCtx, subjectId: Id<"sub">): Promise<void> {
  const rows = await ctx.tx.sql<{ id: Id<"ncf"> }>(
    `SELECT id FROM name_confirmations WHERE org_id = $1 AND subject_id = $2 AND state = 'waiting'`,
    [ctx.orgId, subjectId],
  );
  await askAgain(
    ctx,
    rows.map(({ id }) => id),
  );
}
