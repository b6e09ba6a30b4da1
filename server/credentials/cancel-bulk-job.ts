import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";
import { bulkJobView, jobColumns, loadJob, scopeOfJob, type BulkJobRow, withoutTexts } from "./bulk-job";

/** Stops a job: finished rows stay as they are, the remaining rows are never processed. Leaves an audit entry. */
export const cancelBulkJob = command({
  name: "bulk.cancel",
  scope: "credentials:read",
  input: z.strictObject({ id: id("blk") }),
  async run(ctx, input) {
    // Waits for the chunk in progress, which holds the lock on the row.
    const job = await loadJob(ctx, input.id, "FOR UPDATE");
    requireScope(ctx, scopeOfJob[job.action]);
    if (job.state === "cancelled") return bulkJobView(job);
    if (job.state === "completed" || job.state === "stopped")
      throw new DomainError("job_finished", "The job has finished; there is nothing left to cancel.");
    const [row] = await ctx.tx.sql<BulkJobRow>(
      `UPDATE bulk_jobs SET state = 'cancelled', params = ${withoutTexts}, finished_at = greatest($3, started_at) WHERE org_id = $1 AND id = $2 RETURNING ${jobColumns}`,
      [ctx.orgId, job.id, ctx.now],
    );
    await audit(
      ctx,
      "bulk_job.cancelled",
      { type: "bulk_job", id: publicId("blk", job.id) },
      { action: job.action, processed: job.succeeded + job.failed, total: job.total },
    );
    return bulkJobView(row!);
  },
});
