import { cancelConnectorRun } from "@/server/connectors/cancel-run";
import { runSchema } from "@/server/connectors/run-view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: cancelConnectorRun,
  summary: "Cancel a run",
  description:
    "Of a held run, nobody that it has staged is deactivated (takes connectors:approve). A run that is under way stops, and what it has applied stays.",
  response: runSchema,
});
