import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { exceptionView, type ExceptionRow } from "./exception-view";
import { loadPolicy } from "./load";

/** Lists the exceptions of a policy that have not ended. Names people, so it also needs subjects:read. */
export const listPolicyExceptions = query({
  name: "policies.exceptions.list",
  scope: "policies:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("pol"), ...page }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id);
    const found = await paginate(input, {
      binding: [ctx.orgId, "policy_exceptions", policy.id],
      fetch: ({ after, take, skip }) =>
        reading(ctx).sql<ExceptionRow>(
          `SELECT e.*, s.external_id, s.display_name
           FROM (SELECT policy_id, subject_id, effect, reason, until, created_at, updated_at FROM policy_exceptions
                 WHERE org_id = $1 AND policy_id = $2 AND ($3::uuid IS NULL OR subject_id > $3) AND (until IS NULL OR until > $6) ORDER BY subject_id LIMIT $4 OFFSET $5) e
           CROSS JOIN LATERAL (SELECT external_id, display_name FROM subjects WHERE org_id = ${opaque("$1")} AND id = e.subject_id OFFSET 0) s
           ORDER BY e.subject_id`,
          [ctx.orgId, policy.id, after, take, skip, ctx.now],
        ),
      count: async () =>
        (
          await reading(ctx).sql<{ n: number }>(
            `SELECT count(*) AS n FROM policy_exceptions WHERE org_id = $1 AND policy_id = $2 AND (until IS NULL OR until > $3)`,
            [ctx.orgId, policy.id, ctx.now],
          )
        )[0]!.n,
      keyOf: (row) => row.subject_id,
    });
    return { ...found, data: found.data.map(exceptionView) };
  },
});
