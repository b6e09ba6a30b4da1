import { listConnectorRunErrors, runErrorSchema } from "@/server/connectors/list-run-errors";
import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listConnectorRunErrors,
  summary: "List what was wrong with the rows that a run rejected",
  response: pageOf(runErrorSchema),
});
