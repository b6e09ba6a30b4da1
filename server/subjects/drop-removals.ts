import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/**
 * Drops the staged deactivations of people whom somebody here activated: an older removal of a directory or of a held
 * run must not return (docs/decisions/534). Sent without waiting.
 */
export function dropRemovalsOf(ctx: TxCtx, activated: readonly Id<"sub">[]): void {
  if (activated.length === 0) return;
  ctx.tx.send(
    `UPDATE scim_removals r SET state = 'dropped' FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM scim_removals WHERE org_id = $1 AND subject_id = given.id AND cause = 'status' AND state = 'staged' OFFSET 0
     ) waits WHERE r.ctid = waits.tid`,
    [ctx.orgId, activated],
  );
  ctx.tx.send(
    `UPDATE connector_removals r SET state = 'dropped' FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM connector_removals WHERE org_id = $1 AND subject_id = given.id AND state = 'staged' OFFSET 0
     ) waits WHERE r.ctid = waits.tid`,
    [ctx.orgId, activated],
  );
}
