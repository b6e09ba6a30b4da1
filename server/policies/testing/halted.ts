import type { Ctx } from "@/server/core/context";
import { newPublicId } from "@/server/core/ids";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { publishedTemplate } from "@/server/testing/credentials";
import { applyPolicy } from "../apply";
import { createPolicy } from "../create";
import { getPolicyRun } from "../get-run";
import { runPolicyStep } from "../run/step";

/** A policy for people whose attribute `in` has this value. */
export const policy = async (ctx: Ctx, value = "a") =>
  createPolicy(ctx, {
    name: "Members",
    templateId: (await publishedTemplate(ctx)).id,
    rule: { field: "attributes.in", op: "eq", value },
  });

/** Applies a policy, and does the steps that the request left to the job because the machine is busy. */
async function applyWhole(ctx: Ctx, id: string) {
  const run = await applyPolicy(ctx, { id });
  if (run.status !== "running") return run;
  while (await runPolicyStep(new Date()));
  return getPolicyRun(ctx, { id, run: run.id });
}

/** A policy with a halted run, because nobody matches the rule any more. */
export async function haltedPolicy(ctx: Ctx): Promise<{ id: string; run: string; planHash: string }> {
  const value = newPublicId("req");
  const { id } = await policy(ctx, value);
  const write = (attributes: Record<string, string | null>) =>
    bulkUpsertSubjects(ctx, { items: [{ externalId: `of-${value}`, attributes }] });
  await write({ in: value });
  await applyWhole(ctx, id);
  await write({ in: null });
  const { id: run, planHash } = await applyWhole(ctx, id);
  return { id, run, planHash: planHash! };
}
