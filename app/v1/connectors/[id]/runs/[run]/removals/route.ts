import { listConnectorRemovals, removalSchema } from "@/server/connectors/list-run-removals";
import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listConnectorRemovals,
  summary: "List whom a run deactivated, or would if it is approved",
  description: "Takes subjects:read too, since it names people.",
  response: pageOf(removalSchema),
});
