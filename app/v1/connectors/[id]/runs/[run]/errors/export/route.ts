import { exportConnectorRunErrors } from "@/server/connectors/export-run-errors";
import { csv, route } from "@/server/http/rest/route";

export const GET = route({
  operation: exportConnectorRunErrors,
  summary: "Export what was wrong with the rows that a run rejected, as CSV",
  response: null,
  download: csv,
});
