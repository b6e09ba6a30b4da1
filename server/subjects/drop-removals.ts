import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { touchDirectoryGroups } from "./directory-groups";
import { showAgain } from "./show-again";

/**
 * Drops what waits for approval to deactivate people whom somebody here activated: an older removal of a directory or of a
 * held run must not return (docs/decisions/534). A deletion is discarded: SCIM shows the user again, and groups show the
 * member (docs/decisions/463). Call it with the people locked.
 */
export async function dropRemovalsOf(ctx: TxCtx, activated: readonly Id<"sub">[]): Promise<void> {
  if (activated.length === 0) return;
  const deletions = await ctx.tx.sql<{ connector_id: Id<"con">; subject_id: Id<"sub"> }>(
    `SELECT waits.connector_id, given.id AS subject_id FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT connector_id FROM scim_removals WHERE org_id = $1 AND subject_id = given.id AND cause = 'deleted' AND state = 'staged' OFFSET 0
     ) waits`,
    [ctx.orgId, activated],
  );
  if (deletions.length > 0) {
    showAgain(
      ctx,
      deletions.map((row) => ({ connectorId: row.connector_id, subjectId: row.subject_id })),
    );
    touchDirectoryGroups(
      ctx,
      deletions.map((row) => row.subject_id),
    );
  }
  ctx.tx.send(
    `UPDATE scim_removals r SET state = 'dropped', discarded_at = CASE r.cause WHEN 'deleted' THEN $3::timestamptz END FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM scim_removals WHERE org_id = $1 AND subject_id = given.id AND cause IN ('status', 'deleted') AND state = 'staged' OFFSET 0
     ) waits WHERE r.ctid = waits.tid`,
    [ctx.orgId, activated, ctx.now],
  );
  ctx.tx.send(
    `UPDATE connector_removals r SET state = 'dropped' FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM connector_removals WHERE org_id = $1 AND subject_id = given.id AND state = 'staged' OFFSET 0
     ) waits WHERE r.ctid = waits.tid`,
    [ctx.orgId, activated],
  );
}
