import { exportBulkRows } from "@/server/credentials/export-bulk-rows";
import { csv, route } from "@/server/http/rest/route";

export const GET = route({
  operation: exportBulkRows,
  summary: "Export the rows of a bulk job as CSV",
  description:
    "Each row with its number in the request, from 1, and, where it failed, why. changed is false where the credential was so already. With ok=false, the rows to correct. item is what was sent, of rows that were not worked on.",
  response: null,
  download: csv,
});
