import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { claimLinkView, linkColumns, type ClaimLinkRow } from "./view";

/** Lists claim links that are not deleted, newest first. */
export const listClaimLinks = query({
  name: "claim_links.list",
  scope: "credentials:read",
  input: z.strictObject(page),
  async run(ctx, input) {
    const found = await paginate(input, {
      binding: [ctx.orgId, "claim_links"],
      fetch: ({ after, take, skip }) =>
        reading(ctx).sql<ClaimLinkRow>(
          `SELECT ${linkColumns} FROM claim_links l WHERE l.org_id = $1 AND l.deleted_at IS NULL AND ($2::uuid IS NULL OR l.id < $2) ORDER BY l.id DESC LIMIT $3 OFFSET $4`,
          [ctx.orgId, after, take, skip],
        ),
      count: async () =>
        (
          await reading(ctx).sql<{ n: number }>(
            `SELECT count(*) AS n FROM claim_links WHERE org_id = $1 AND deleted_at IS NULL`,
            [ctx.orgId],
          )
        )[0]!.n,
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map((row) => claimLinkView(row, ctx.now)) };
  },
});
