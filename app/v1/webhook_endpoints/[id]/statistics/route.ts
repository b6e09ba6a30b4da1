import { route } from "@/server/http/rest/route";
import { getEndpointStatistics, statisticsSchema } from "@/server/webhooks/endpoints/statistics";

export const GET = route({
  operation: getEndpointStatistics,
  summary: "See how an endpoint has been doing",
  response: statisticsSchema,
});
