import { pageOf } from "@/server/core/pagination";
import { listNameRequests } from "@/server/holders/list-name-requests";
import { nameRequestSchema } from "@/server/holders/name-request-view";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listNameRequests,
  summary: "List requests for another name",
  description: "Holders ask at their home page. Oldest first.",
  response: pageOf(nameRequestSchema),
});
