import { z } from "zod";
import { reading } from "@/server/core/db";
import { isAmong, severalIds, severalOf } from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { claimColumns, claimStates, claimView, type ClaimRow } from "./claim-view";

/** Lists claims, oldest first. Requires subjects:read too, because claims name people. */
export const listClaims = query({
  name: "claims.list",
  scope: "credentials:read",
  alsoScope: "subjects:read",
  input: z.strictObject({
    claimLinkId: severalIds("clk").optional(),
    state: severalOf(claimStates).optional(),
    ...page,
  }),
  async run(ctx, input) {
    const filtered = () => {
      const values: unknown[] = [ctx.orgId];
      const parameter = (value: unknown) => `$${values.push(value)}`;
      const where = ["org_id = $1"];
      if (input.claimLinkId) where.push(isAmong("claim_link_id", "uuid", input.claimLinkId, parameter));
      if (input.state) where.push(isAmong("state", "text", input.state, parameter));
      return { where, parameter, values };
    };
    const found = await paginate(input, {
      binding: [ctx.orgId, "claims", input.claimLinkId ?? null, input.state ?? null],
      fetch({ after, take, skip }) {
        const { where, parameter, values } = filtered();
        if (after !== null) where.push(`id > ${parameter(after)}`);
        return reading(ctx).sql<ClaimRow>(
          `SELECT c.*, s.display_name AS record_name FROM (
             SELECT ${claimColumns} FROM claims WHERE ${where.join(" AND ")} ORDER BY id LIMIT ${parameter(take)} OFFSET ${parameter(skip)}
           ) c LEFT JOIN LATERAL (
             SELECT display_name FROM subjects WHERE org_id = ${opaque("$1")} AND subjects.id = c.subject_id OFFSET 0
           ) s ON true ORDER BY c.id`,
          values,
        );
      },
      async count() {
        const { where, values } = filtered();
        const [row] = await reading(ctx).sql<{ n: number }>(
          `SELECT count(*) AS n FROM claims WHERE ${where.join(" AND ")}`,
          values,
        );
        return row!.n;
      },
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(claimView) };
  },
});
