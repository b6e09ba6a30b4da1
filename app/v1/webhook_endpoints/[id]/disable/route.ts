import { route } from "@/server/http/route";
import { disableWebhookEndpoint } from "@/server/webhooks/disable";
import { endpointSchema } from "@/server/webhooks/view";

export const POST = route({
  operation: disableWebhookEndpoint,
  summary: "Disable an endpoint",
  description: "What is due is parked and can be recovered after enabling it.",
  response: endpointSchema,
});
