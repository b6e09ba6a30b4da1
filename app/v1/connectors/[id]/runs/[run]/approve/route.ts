import { approveConnectorRun } from "@/server/connectors/approve-run";
import { runSchema } from "@/server/connectors/run-view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: approveConnectorRun,
  summary: "Approve what a run holds",
  description:
    "Deactivates exactly the people that the run has staged, in the background. 409 count_mismatch where some of them are no longer to be deactivated, 409 run_in_progress while a newer file is applied.",
  response: runSchema,
  statuses: [202],
  location: ({ connectorId, id }) => `/v1/connectors/${connectorId}/runs/${id}`,
});
