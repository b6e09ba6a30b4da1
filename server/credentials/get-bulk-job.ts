import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { bulkJobView, loadJob } from "./bulk-job";

/** Returns a bulk job with its progress. */
export const getBulkJob = query({
  name: "bulk.get",
  scope: "credentials:read",
  input: z.strictObject({ id: id("blk") }),
  run: async (ctx, input) => bulkJobView(await loadJob(ctx, input.id)),
});
