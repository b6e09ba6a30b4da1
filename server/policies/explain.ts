import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { jsonPointer } from "@/server/core/json-pointer";
import { query } from "@/server/core/operation";
import { opaque } from "@/server/core/opaque";
import { evaluateRule } from "@/server/rules/evaluate";
import { loadSubject } from "@/server/subjects/load";
import type { SubjectRow } from "@/server/subjects/view";
import type { Ctx } from "@/server/core/context";
import { configOf } from "./config";
import { loadPolicy } from "./load";
import { outcomeFields, outcomeFor } from "./outcome";
import { plansOf } from "./plan/plans";

export const explanationSchema = z
  .object({
    policyId: z.string(),
    subjectId: z.string(),
    ...outcomeFields,
    active: z.boolean(),
    inGroup: z.boolean().nullable().meta({ description: "For a policy with a group." }),
    comparisons: z
      .array(
        z.object({
          pointer: z.string().meta({ description: "The comparison in the rule, as a JSON pointer." }),
          field: z.string(),
          op: z.string(),
          value: z.unknown(),
          found: z.unknown().meta({ description: "The person's value; null where it is missing." }),
          outcome: z
            .boolean()
            .nullable()
            .meta({ description: "null: it could not be decided, which matches nothing." }),
        }),
      )
      .meta({ description: "Each comparison of the rule with the person's value." }),
  })
  .meta({ id: "PolicyExplanation" });

/** Explains why a person should hold a policy's credential or not: each comparison of the rule with the person's value. */
export const explainPolicy = query({
  name: "policies.explain",
  scope: "policies:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("pol"), subjectId: id("sub") }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id);
    const subject = await loadSubject(ctx, input.subjectId);
    const { sql } = reading(ctx);
    const config = configOf(policy);
    const plans = await plansOf(sql, { orgId: ctx.orgId, policyId: policy.id, config, now: ctx.now });
    const { rule, group_id } = policy;
    const groups = await groupsOf(ctx, subject.id);
    const leaves = rule ? evaluateRule(rule, personOf(subject, groups.static), plans.clock).leaves : [];
    return {
      policyId: publicId("pol", policy.id),
      subjectId: publicId("sub", subject.id),
      ...(await outcomeFor(ctx, policy, subject.id, plans)),
      active: subject.status === "active",
      inGroup: group_id && groups.all.includes(publicId("grp", group_id)!),
      comparisons: leaves.map(({ path, comparison: { field, op, value }, found, outcome }) => ({
        pointer: jsonPointer(["rule", ...path]),
        field,
        op,
        value: value ?? null,
        found: found ?? null,
        outcome,
      })),
    };
  },
});

async function groupsOf(ctx: Ctx, subjectId: Id<"sub">): Promise<{ all: string[]; static: string[] }> {
  const rows = await reading(ctx).sql<{ id: Id<"grp">; kind: string }>(
    `SELECT g.id, g.kind FROM group_members m CROSS JOIN LATERAL (SELECT id, kind FROM groups WHERE org_id = ${opaque("$1")} AND id = m.group_id OFFSET 0) g
     WHERE m.org_id = $1 AND m.subject_id = $2`,
    [ctx.orgId, subjectId],
  );
  const told = (some: typeof rows) => some.map((row) => publicId("grp", row.id)!);
  return { all: told(rows), static: told(rows.filter(({ kind }) => kind === "static")) };
}

const personOf = (row: SubjectRow, groups: string[]) => ({
  status: row.status,
  email: row.email,
  externalId: row.external_id,
  displayName: row.display_name,
  attributes: row.attributes,
  groups,
  erased: row.erased_at !== null,
});
