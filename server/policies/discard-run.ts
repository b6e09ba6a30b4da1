import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadPolicy } from "./load";
import { dropStaged } from "./run/work";
import { loadRun, runColumns, runView, type RunRow } from "./run-view";

/**
 * Discards a halted run without ending a credential. The policy stays active; its next run halts again if it would end
 * too many. Leaves an audit entry.
 */
export const discardPolicyRun = command({
  name: "policies.runs.discard",
  scope: "policies:approve",
  input: z.strictObject({ id: id("pol"), run: id("plr") }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id, "FOR UPDATE");
    const run = await loadRun(ctx, policy.id, input.run, "FOR UPDATE");
    if (run.status === "discarded") return runView(run);
    if (run.status !== "halted")
      throw new DomainError("run_state", `The run is ${run.status}. Only a run that is halted can be discarded.`);
    await dropStaged(ctx, [run.id]);
    const [row] = await ctx.tx.sql<RunRow>(
      `UPDATE policy_runs SET status = 'discarded' WHERE org_id = $1 AND id = $2 RETURNING ${runColumns}`,
      [ctx.orgId, run.id],
    );
    await ctx.tx.sql(
      `UPDATE policies SET status = 'active', halted_at = NULL WHERE org_id = $1 AND id = $2 AND status = 'halted'`,
      [ctx.orgId, policy.id],
    );
    await audit(
      ctx,
      "policy_run.discarded",
      { type: "policy_run", id: publicId("plr", run.id) },
      { policyId: publicId("pol", policy.id), affected: run.halt!.affected },
    );
    return runView(row!);
  },
});
