import type { TxCtx } from "@/server/core/context";
import { changeMemberships } from "../groups/change";
import { advance, type Work } from "./work";

/**
 * Carries out the planned changes of memberships, then continues with the deactivations. In a held run, both wait for
 * approval if they count against the limit.
 */
export async function group(ctx: TxCtx, work: Work): Promise<void> {
  if (await changeMemberships(ctx, work)) return;
  if (work.hold && !work.approved) return endHeld(ctx, work);
  await advance(ctx, work, { phase: "removing" });
}

/** Ends a run that holds deactivations or ends of memberships. If none were staged after all, removes the hold. */
async function endHeld(ctx: TxCtx, work: Work): Promise<void> {
  const [row] = await ctx.tx.sql<{ held: number }>(
    `SELECT (SELECT count(*) FROM connector_removals WHERE org_id = $1 AND run_id = $2 AND state = 'staged')
       + (SELECT count(*) FROM connector_member_changes WHERE org_id = $1 AND run_id = $2 AND state = 'staged' AND counted) AS held`,
    [ctx.orgId, work.id],
  );
  if (row!.held === 0)
    await ctx.tx.sql(`UPDATE connector_runs SET hold = NULL WHERE org_id = $1 AND id = $2`, [ctx.orgId, work.id]);
  await advance(ctx, work, { phase: "finishing" }, row!);
}
