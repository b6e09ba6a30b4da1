import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { cancelConfirmations } from "@/server/credentials/cancel-confirmations";
import { erasedReason } from "@/server/credentials/insert-credentials";

/** Cancels waiting requests to confirm the person's name, and blanks their terms. */
export async function blankConfirmations(ctx: TxCtx, subjectId: Id<"sub">): Promise<void> {
  const waiting = await ctx.tx.sql<{ id: Id<"ncf"> }>(
    `SELECT id FROM name_confirmations WHERE org_id = $1 AND subject_id = $2 AND state = 'waiting'`,
    [ctx.orgId, subjectId],
  );
  await cancelConfirmations(
    ctx,
    waiting.map(({ id }) => id),
    erasedReason,
  );
  await ctx.tx.sql(
    `UPDATE name_confirmations SET terms = '{}', reason = CASE WHEN reason = $3 THEN reason END, updated_at = $4 WHERE org_id = $1 AND subject_id = $2`,
    [ctx.orgId, subjectId, erasedReason, ctx.now],
  );
}
