import { route } from "@/server/http/route";
import { pauseWebhookEndpoint } from "@/server/webhooks/pause";
import { endpointSchema } from "@/server/webhooks/view";

export const POST = route({
  operation: pauseWebhookEndpoint,
  summary: "Pause an endpoint",
  description: "Deliveries wait until it is enabled.",
  response: endpointSchema,
});
