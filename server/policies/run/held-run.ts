import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";

/**
 * Returns a held run of a connector that provides somebody who holds a credential of the policy: until a person has
 * looked at it, what is stored of these people is not what the feed said.
 */
export async function heldRun(ctx: TxCtx, policyId: Id<"pol">): Promise<Id<"run"> | undefined> {
  const [held] = await ctx.tx.sql<{ id: Id<"run"> }>(
    `SELECT run.id FROM connector_runs run WHERE run.org_id = $1 AND run.status = 'held' AND EXISTS (
       SELECT FROM credentials c
       CROSS JOIN LATERAL (
         SELECT FROM subject_sources o WHERE o.org_id = ${opaque("$1")} AND o.subject_id = c.subject_id AND o.source_id = run.connector_id OFFSET 0
       ) provided
       WHERE c.org_id = $1 AND c.source_type = 'policy' AND c.source_id = $2 AND c.state IN ('pending', 'active', 'suspended')
     ) ORDER BY run.id LIMIT 1`,
    [ctx.orgId, publicId("pol", policyId)],
  );
  return held?.id;
}
