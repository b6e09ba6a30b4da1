import { bulkJobSchema } from "@/server/credentials/bulk-job";
import { getBulkJob } from "@/server/credentials/get-bulk-job";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: getBulkJob,
  summary: "Get a bulk job and its progress",
  response: bulkJobSchema,
});
