import type { TxCtx } from "@/server/core/context";
import type { Told } from "@/server/core/errors";
import { newId } from "@/server/core/ids";

/**
 * Writes an audit entry for a command that has no event, in its transaction. `detail` holds facts, never secrets. Ids
 * in `detail` and `target` are in the form that callers see.
 */
export async function audit(
  ctx: TxCtx,
  action: string,
  target: { type: string; id: string },
  detail: Record<string, Told> = {},
): Promise<void> {
  await ctx.tx.sql(
    `INSERT INTO audit_entries (org_id, id, action, actor, target_type, target_id, detail, request_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [ctx.orgId, newId("aud"), action, ctx.actor, target.type, target.id, detail, ctx.requestId, ctx.now],
  );
}
