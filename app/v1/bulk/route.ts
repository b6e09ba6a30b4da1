import { pageOf } from "@/server/core/pagination";
import { bulkJobSchema } from "@/server/credentials/bulk-job";
import { listBulkJobs } from "@/server/credentials/list-bulk-jobs";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: listBulkJobs, summary: "List bulk jobs", response: pageOf(bulkJobSchema) });
