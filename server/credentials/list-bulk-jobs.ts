import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { bulkJobView, jobColumns, type BulkJobRow } from "./bulk-job";

/** Lists bulk jobs, newest first. */
export const listBulkJobs = query({
  name: "bulk.list",
  scope: "credentials:read",
  input: z.strictObject(page),
  async run(ctx, input) {
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "bulk_jobs"],
      fetch: ({ after, take, skip }) =>
        sql<BulkJobRow>(
          `SELECT ${jobColumns} FROM bulk_jobs WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3 OFFSET $4`,
          [ctx.orgId, after, take, skip],
        ),
      count: async () =>
        (await sql<{ n: number }>(`SELECT count(*) AS n FROM bulk_jobs WHERE org_id = $1`, [ctx.orgId]))[0]!.n,
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(bulkJobView) };
  },
});
