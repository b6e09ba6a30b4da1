import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { listEndpointStatistics, statisticsSchema } from "@/server/webhooks/endpoints/statistics";

export const GET = route({
  operation: listEndpointStatistics,
  summary: "See how all endpoints have been doing",
  description: "The statistics of each endpoint, in the order of the list of endpoints and with the same filters.",
  response: pageOf(statisticsSchema),
});
