import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { isAmong, severalOf } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadPolicy } from "./load";
import { runColumns, runStatuses, runView, type RunRow } from "./run-view";

/** Lists what each run of a policy did, newest first. */
export const listPolicyRuns = query({
  name: "policies.runs.list",
  scope: "policies:read",
  input: z.strictObject({ id: id("pol"), status: severalOf(runStatuses).optional(), ...page }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id);
    const narrowed = () => {
      const values: unknown[] = [ctx.orgId, policy.id];
      const parameter = (value: unknown) => `$${values.push(value)}`;
      const where = ["org_id = $1", "policy_id = $2"];
      if (input.status) where.push(isAmong("status", "text", input.status, parameter));
      return { values, parameter, where };
    };
    const found = await paginate(input, {
      binding: [ctx.orgId, "policy_runs", policy.id, input.status],
      fetch({ after, take, skip }) {
        const { values, parameter, where } = narrowed();
        if (after !== null) where.push(`id < ${parameter(after)}::uuid`);
        return reading(ctx).sql<RunRow>(
          `SELECT ${runColumns} FROM policy_runs WHERE ${where.join(" AND ")} ORDER BY id DESC LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`,
          values,
        );
      },
      async count() {
        const { values, where } = narrowed();
        const [row] = await reading(ctx).sql<{ n: number }>(
          `SELECT count(*) AS n FROM policy_runs WHERE ${where.join(" AND ")}`,
          values,
        );
        return row!.n;
      },
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(runView) };
  },
});
