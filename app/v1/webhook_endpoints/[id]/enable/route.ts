import { route } from "@/server/http/rest/route";
import { enableWebhookEndpoint } from "@/server/webhooks/endpoints/enable";
import { endpointSchema } from "@/server/webhooks/endpoints/view";

export const POST = route({
  operation: enableWebhookEndpoint,
  summary: "Enable an endpoint that is paused or disabled",
  description:
    "What waited while it was paused goes out now. What was parked when it was disabled stays parked; see recover.",
  response: endpointSchema,
});
