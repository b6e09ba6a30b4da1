import { z } from "zod";
import { reading } from "@/server/core/db";
import { isAmong, severalIds, severalOf } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { policyStatuses, policyView, shownColumns, type ShownPolicy } from "./view";

/** Lists policies, newest first. */
export const listPolicies = query({
  name: "policies.list",
  scope: "policies:read",
  input: z.strictObject({
    status: severalOf(policyStatuses).optional(),
    templateId: severalIds("tpl").optional(),
    ...page,
  }),
  async run(ctx, { status, templateId, ...range }) {
    const narrowed = () => {
      const values: unknown[] = [ctx.orgId];
      const parameter = (value: unknown) => `$${values.push(value)}`;
      const where = ["org_id = $1", "deleted_at IS NULL"];
      if (status) where.push(isAmong("status", "text", status, parameter));
      if (templateId) where.push(isAmong("template_id", "uuid", templateId, parameter));
      return { values, parameter, where };
    };
    const found = await paginate(range, {
      binding: [ctx.orgId, "policies", status, templateId],
      fetch({ after, take, skip }) {
        const { values, parameter, where } = narrowed();
        if (after !== null) where.push(`id < ${parameter(after)}::uuid`);
        return reading(ctx).sql<ShownPolicy>(
          `SELECT ${shownColumns} FROM policies WHERE ${where.join(" AND ")} ORDER BY id DESC LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`,
          values,
        );
      },
      async count() {
        const { values, where } = narrowed();
        const [row] = await reading(ctx).sql<{ n: number }>(
          `SELECT count(*) AS n FROM policies WHERE ${where.join(" AND ")}`,
          values,
        );
        return row!.n;
      },
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(policyView) };
  },
});
