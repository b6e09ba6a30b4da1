import { z } from "zod";
import { newId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { bulkActions, scopeOfAction } from "./bulk-actions";
import { bulkJobView, queueJob } from "./bulk-job";
import { rowOutcomeSchema, runRows } from "./bulk-rows";

const maxAtOnce = 500;

export const bulkResultSchema = z
  .object({ data: z.array(rowOutcomeSchema), succeeded: z.int(), failed: z.int() })
  .meta({ id: "BulkResult" });

/**
 * Applies one action to up to 10,000 rows (contract section 7). A bad row never affects another. Up to 500 rows are
 * processed at once, in one transaction; more rows, or a request that asks for it, become a job. Emits the events of
 * the single operations, row by row.
 */
export const bulkCredentials = command({
  name: "credentials.bulk",
  scope: (input) => scopeOfAction[input.action],
  input: z.strictObject({
    action: z.enum(bulkActions),
    items: z.array(z.unknown()).min(1).max(10_000).meta({
      description:
        "Each as the body of the single endpoint; suspend, resume, revoke and update with the credential's id.",
    }),
    respondAsync: z
      .boolean()
      .default(false)
      .meta({ description: "As the header Prefer: respond-async: a job, however few the rows." }),
  }),
  async run(ctx, { action, items, respondAsync }) {
    if (items.length > maxAtOnce || respondAsync) {
      const id = newId("blk");
      const job = await queueJob(ctx, id, { action, params: {}, total: items.length });
      await ctx.tx.sql(
        `INSERT INTO bulk_rows (org_id, job_id, "index", input)
         SELECT $1, $2, n - 1, item FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS list (item, n)`,
        [ctx.orgId, id, JSON.stringify(items)],
      );
      ctx.tx.wrote("bulk_rows", items.length);
      return { job: bulkJobView(job) };
    }
    const data = await runRows(
      ctx,
      action,
      items.map((item, index) => ({ index, item })),
      { type: "bulk", id: null },
    );
    const succeeded = data.filter((row) => row.ok).length;
    return { result: { data, succeeded, failed: data.length - succeeded } };
  },
});
