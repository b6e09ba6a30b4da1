import { route } from "@/server/http/route";
import { getEndpointStatistics, statisticsSchema } from "@/server/webhooks/statistics";

export const GET = route({
  operation: getEndpointStatistics,
  summary: "See how an endpoint has been doing",
  response: statisticsSchema,
});
