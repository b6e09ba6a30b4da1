import { expect } from "vitest";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { removeGroupMembers } from "@/server/groups/remove-members";
import { readId } from "@/server/core/ids";
import { applyPolicy } from "@/server/policies/apply";
import { createPolicy } from "@/server/policies/create";
import { previewPolicy } from "@/server/policies/preview";
import { updatePolicy } from "@/server/policies/update";
import { runPolicyStep } from "@/server/policies/run/step";
import { publishedTemplate } from "../credentials";
import { type Span } from "./rows";
import { arrange, type Given, type Call } from "./given";

/** A policy for the members of a group, of whom half leave. A run evaluates everybody, whoever matches. */
export function policyCalls(given: Given, { from, to }: Span, n: number, members: () => string[]): Call[] {
  const { ctx } = given;
  let id = "";
  let left: string[] = [];
  const blastRadius = { percent: 100, count: 1_000_000 };
  const apply = async () => {
    await applyPolicy(ctx, { id });
    while (await runPolicyStep(new Date()));
  };
  let template = "";
  let meant = "";
  return [
    {
      name: "a policy that issues",
      run: async () => {
        const { id: groupId } = await createGroup(ctx, { name: "Meant" });
        meant = groupId;
        const subjectIds = members();
        await addGroupMembers(ctx, { id: groupId, subjectIds });
        ({ id: template } = await publishedTemplate(ctx));
        ({ id } = await createPolicy(ctx, { name: "Walked", templateId: template, groupId, blastRadius }));
        await apply();
        left = subjectIds.slice(n / 2);
        await removeGroupMembers(ctx, { id: groupId, subjectIds: left });
      },
    },
    { name: "the preview of a policy", run: () => previewPolicy(ctx, { id }) },
    { name: "a policy that suspends", run: apply },
    {
      name: "a policy that takes over what another suspended",
      run: async () => {
        const found = await arrange<{ external_id: string }>(
          `SELECT external_id FROM subjects WHERE org_id = $1 AND id = ANY($2)`,
          [ctx.orgId, left.map((each) => readId("sub", each))],
        );
        const rule = { field: "externalId", op: "in", value: found.map((row) => row.external_id) };
        ({ id } = await createPolicy(ctx, { name: "Next", templateId: template, rule, blastRadius }));
        await apply();
      },
    },
    {
      name: "the preview of a policy that would be halted, with a rule that names groups",
      run: async () => {
        const rule = { field: "groups", op: "contains", value: meant };
        await updatePolicy(ctx, { id, rule, blastRadius: { percent: 1, count: 1 } });
        const { halt } = await previewPolicy(ctx, { id });
        // Up to five removals are never halted.
        if (n > 5) expect(halt?.causes.join(" ")).toContain("not in the group Meant");
      },
    },
  ].map((call) => ({ ...call, given: to - from }));
}
