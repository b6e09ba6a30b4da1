import { runSchema } from "@/server/connectors/run-view";
import { syncConnector } from "@/server/connectors/sync";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: syncConnector,
  summary: "Run a connector now",
  description:
    "Asks the source of a connector of type http for its people. Answers with the run, which works in the background; while one waits to begin, with that one.",
  response: runSchema,
  statuses: [202],
  location: ({ connectorId, id }) => `/v1/connectors/${connectorId}/runs/${id}`,
});
