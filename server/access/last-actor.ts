import type { Actor, TxCtx } from "@/server/core/context";

/**
 * Returns the last actor of an action on a resource, by the audit log; null if there is none, or if the entry was
 * purged.
 */
export async function lastActor(ctx: TxCtx, targetId: string, action: string): Promise<Actor | null> {
  const [row] = await ctx.tx.sql<{ actor: Actor }>(
    "SELECT actor FROM audit_entries WHERE org_id = $1 AND target_id = $2 AND action = $3 ORDER BY id DESC LIMIT 1",
    [ctx.orgId, targetId, action],
  );
  return row?.actor ?? null;
}
