import { bulkJobSchema, scopeOfJob } from "@/server/credentials/bulk-job";
import { cancelBulkJob } from "@/server/credentials/cancel-bulk-job";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: cancelBulkJob,
  summary: "Cancel a bulk job",
  description: "What was done stays; the rest is never done. Needs the scope of the job's action too.",
  scopeSets: [...new Set(Object.values(scopeOfJob))].map((scope) => ["credentials:read", scope]),
  response: bulkJobSchema,
});
