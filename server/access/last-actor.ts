import type { Actor, TxCtx } from "@/server/core/context";

/** Who last did an action to a resource, by the audit log; null where nobody did, or it was purged. */
export async function lastActor(ctx: TxCtx, targetId: string, action: string): Promise<Actor | null> {
  const [row] = await ctx.tx.sql<{ actor: Actor }>(
    "SELECT actor FROM audit_entries WHERE org_id = $1 AND target_id = $2 AND action = $3 ORDER BY id DESC LIMIT 1",
    [ctx.orgId, targetId, action],
  );
  return row?.actor ?? null;
}
