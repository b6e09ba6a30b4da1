import { route } from "@/server/http/rest/route";
import { pauseWebhookEndpoint } from "@/server/webhooks/endpoints/pause";
import { endpointSchema } from "@/server/webhooks/endpoints/view";

export const POST = route({
  operation: pauseWebhookEndpoint,
  summary: "Pause an endpoint",
  description: "Deliveries wait until it is enabled.",
  response: endpointSchema,
});
