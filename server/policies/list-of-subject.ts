import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadSubject } from "@/server/subjects/load";
import { outcomeFields, outcomeFor } from "./outcome";
import { policyColumns, policyStatuses, type PolicyRow } from "./view";

export const subjectPolicySchema = z
  .object({
    policyId: z.string(),
    name: z.string(),
    templateId: z.string(),
    status: z.enum(policyStatuses),
    ...outcomeFields,
  })
  .meta({ id: "SubjectPolicy", description: "What a policy says of a person, and what an apply would do." });

/** Lists what each policy decides about a person, newest policies first. The answer lets callers infer attributes, so it also
 * needs subjects:read. */
export const listPoliciesOfSubject = query({
  name: "subjects.policies",
  scope: "policies:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("sub"), ...page }),
  async run(ctx, input) {
    const subject = await loadSubject(ctx, input.id);
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "policies of subject", subject.id],
      fetch: ({ after, take, skip }) =>
        sql<PolicyRow>(
          `SELECT ${policyColumns} FROM policies WHERE org_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR id < $2::uuid) ORDER BY id DESC LIMIT $3 OFFSET $4`,
          [ctx.orgId, after, take, skip],
        ),
      count: async () =>
        (
          await sql<{ n: number }>(`SELECT count(*) AS n FROM policies WHERE org_id = $1 AND deleted_at IS NULL`, [
            ctx.orgId,
          ])
        )[0]!.n,
      keyOf: (row) => row.id,
    });
    const data = [];
    for (const policy of found.data)
      data.push({
        policyId: publicId("pol", policy.id),
        name: policy.name,
        templateId: publicId("tpl", policy.template_id),
        status: policy.status,
        ...(await outcomeFor(ctx, policy, subject.id)),
      });
    return { ...found, data };
  },
});
