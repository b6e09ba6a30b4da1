import { exportRejectedRows } from "@/server/connectors/export-rejected-rows";
import { csv, route } from "@/server/http/rest/route";

export const GET = route({
  operation: exportRejectedRows,
  summary: "Export the rows that a run rejected, to be corrected and uploaded again",
  description:
    "CSV with the columns of the file, and before them the line and what is wrong. Rows that repeat the id of an earlier row, and a last row that may be cut off, are only in the list of errors. Kept for 7 days. Upload the corrected file with mode delta: it lists some people alone. Takes subjects:read too, since it names people.",
  response: null,
  download: csv,
});
