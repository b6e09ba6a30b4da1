import { route } from "@/server/http/rest/route";
import { getWebhookQueue, queueSchema } from "@/server/webhooks/deliveries/queue";

export const GET = route({
  operation: getWebhookQueue,
  summary: "See what waits to be sent and what failed, across all endpoints",
  response: queueSchema,
});
