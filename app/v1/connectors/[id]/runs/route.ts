import { listConnectorRuns } from "@/server/connectors/list-runs";
import { runSchema } from "@/server/connectors/run-view";
import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listConnectorRuns,
  summary: "List what each run of a connector did",
  response: pageOf(runSchema),
});
