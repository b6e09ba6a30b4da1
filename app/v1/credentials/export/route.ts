import { csv, route } from "@/server/http/rest/route";
import { exportCredentials } from "@/server/credentials/export";

export const GET = route({
  operation: exportCredentials,
  summary: "Export credentials as CSV",
  description:
    "All that the list with the same filters shows, in one file that streams. UTF-8 with a byte order mark; cells that a spreadsheet would run as a formula begin with an apostrophe. An answer that breaks off is not whole.",
  response: null,
  download: csv,
});
