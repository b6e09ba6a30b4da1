import { route } from "@/server/http/rest/route";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { endpointSchema } from "@/server/webhooks/endpoints/view";

export const POST = route({
  operation: disableWebhookEndpoint,
  summary: "Disable an endpoint",
  description: "What is due is parked and can be recovered after enabling it.",
  response: endpointSchema,
});
