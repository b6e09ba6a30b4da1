import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { refuseCostly } from "@/server/rules/rule-time";
import { loadPolicy } from "./load";
import { queueRun } from "./run/queue-run";
import { runWithin } from "./run/run-within";
import { runView } from "./run-view";

export const planHashInput = z.string().min(1).max(5000).meta({ description: "The planHash of a preview or a run." });

/**
 * Runs a policy (contract section 12): ends the credentials of people who no longer match, and issues, resumes and
 * renews those of people who do. A run that would end too many changes nothing and is halted. A long run continues
 * after the answer. Emits policy.applied, policy.halted or policy.failed, and the events of each changed credential.
 *
 * @throws DomainError plan_changed if it would end a credential that the plan of planHash does not, or fewer than a plan
 * of more than 500; policy_paused; run_in_progress
 */
export const applyPolicy = command({
  name: "policies.apply",
  scope: "policies:apply",
  input: z.strictObject({ id: id("pol"), planHash: planHashInput.optional() }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id, "FOR UPDATE");
    if (policy.status === "paused")
      throw new DomainError("policy_paused", "The policy is paused and is not applied. Resume it first.");
    const { actor, scopes, accessToken } = ctx;
    const run = await queueRun(ctx, policy, {
      trigger: "manual",
      actor,
      scopes,
      accessToken,
      expected: input.planHash,
    });
    await audit(
      ctx,
      "policy_run.queued",
      { type: "policy_run", id: publicId("plr", run) },
      { policyId: publicId("pol", policy.id) },
    );
    return runView(await runWithin(ctx, run).catch(refuseCostly));
  },
});
