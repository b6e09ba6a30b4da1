import { route } from "@/server/http/route";
import { getWebhookQueue, queueSchema } from "@/server/webhooks/queue";

export const GET = route({
  operation: getWebhookQueue,
  summary: "See what waits to be sent and what failed, across all endpoints",
  response: queueSchema,
});
