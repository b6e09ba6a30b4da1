import { pageOf } from "@/server/core/pagination";
import { bulkRowSchema, listBulkRows } from "@/server/credentials/list-bulk-rows";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listBulkRows,
  summary: "List the rows of a bulk job with their results",
  response: pageOf(bulkRowSchema),
});
