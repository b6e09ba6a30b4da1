import type { TxCtx } from "@/server/core/context";
import type { Membership } from "@/server/groups/change-memberships";
import { advance, type Work } from "../run/work";
import { giveMemberships, takeMemberships } from "./give-and-take";

const setSize = 5_000;

/**
 * Undoes the next batch of a run's changes of memberships: those that it gave and the connector still gives, and those
 * that it ended. They no longer count against the limit.
 *
 * @returns false if there were none left
 */
export async function undoMemberships(ctx: TxCtx, work: Work): Promise<boolean> {
  const { group_id, subject_id } = work.progress.regrouped ?? {};
  const changes = await ctx.tx.sql<Membership & { kind: "add" | "remove" }>(
    `SELECT group_id, subject_id, kind FROM connector_member_changes
     WHERE org_id = $1 AND run_id = $2 AND ($3::uuid IS NULL OR (group_id, subject_id) > ($3, $4::uuid)) AND state = 'applied'
     ORDER BY group_id, subject_id LIMIT $5`,
    [ctx.orgId, work.undoes, group_id ?? null, subject_id ?? null, setSize],
  );
  const last = changes.at(-1);
  if (!last) return false;
  await takeMemberships(
    ctx,
    work.connector_id,
    changes.filter(({ kind }) => kind === "add"),
  );
  await giveMemberships(
    ctx,
    work.connector_id,
    changes.filter(({ kind }) => kind === "remove"),
  );
  await ctx.tx.sql(
    `UPDATE connector_member_changes SET state = 'dropped', applied_at = NULL FROM unnest($3::uuid[], $4::uuid[]) AS given (group_id, subject_id)
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM connector_member_changes WHERE org_id = $1 AND run_id = $2 AND group_id = given.group_id AND subject_id = given.subject_id OFFSET 0
     ) held WHERE connector_member_changes.ctid = held.tid`,
    [ctx.orgId, work.undoes, changes.map((each) => each.group_id), changes.map((each) => each.subject_id)],
  );
  await advance(ctx, work, {
    phase: "undoing",
    progress: { regrouped: { group_id: last.group_id, subject_id: last.subject_id } },
  });
  return true;
}
