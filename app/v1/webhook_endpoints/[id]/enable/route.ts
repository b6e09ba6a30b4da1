import { route } from "@/server/http/route";
import { enableWebhookEndpoint } from "@/server/webhooks/enable";
import { endpointSchema } from "@/server/webhooks/view";

export const POST = route({
  operation: enableWebhookEndpoint,
  summary: "Enable an endpoint that is paused or disabled",
  description:
    "What waited while it was paused goes out now. What was parked when it was disabled stays parked; see recover.",
  response: endpointSchema,
});
