import { getConnectorRun } from "@/server/connectors/get-run";
import { runSchema } from "@/server/connectors/run-view";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: getConnectorRun, summary: "Get a run of a connector", response: runSchema });
