import { runSchema } from "@/server/connectors/run-view";
import { undoConnectorRun } from "@/server/connectors/undo-run";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: undoConnectorRun,
  summary: "Take a run back",
  description:
    "For 7 days after the run. Restores, in the background, what the run wrote and nobody has changed since; the others count as skipped. Whom it created is deleted, or deactivated where they ever held a credential. Answers with the run that does so; a second one is refused with 409 run_state.",
  response: runSchema,
  statuses: [202],
  location: ({ connectorId, id }) => `/v1/connectors/${connectorId}/runs/${id}`,
});
