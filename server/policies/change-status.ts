import type { TxCtx } from "@/server/core/context";
import { audit } from "@/server/access/audit";
import { publicId, type Id } from "@/server/core/ids";
import { loadPolicy, loadShownPolicy } from "./load";
import { nextRun } from "@/server/core/schedule";
import { discardHalted } from "./run/work";
import { policyView, type PolicyView } from "./view";

/** Pauses or resumes a policy; a pause discards the plan of a halted run. Leaves an audit entry if the status changed. */
export async function changeStatus(ctx: TxCtx, id: Id<"pol">, to: "paused" | "active"): Promise<PolicyView> {
  const before = await loadPolicy(ctx, id, "FOR UPDATE");
  const isThere = to === "paused" ? before.status === "paused" : before.status !== "paused";
  if (!isThere) {
    await ctx.tx.sql(
      `UPDATE policies SET status = $3, halted_at = NULL, next_run_at = $4, updated_at = $5 WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, before.id, to, to === "active" ? nextRun(before.schedule, ctx.now) : before.next_run_at, ctx.now],
    );
    if (to === "paused") await discardHalted(ctx, before.id);
    await audit(
      ctx,
      to === "paused" ? "policy.paused" : "policy.resumed",
      { type: "policy", id: publicId("pol", before.id) },
      { name: before.name },
    );
  }
  return policyView(await loadShownPolicy(ctx, before.id));
}
