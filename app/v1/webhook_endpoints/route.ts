import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { listWebhookEndpoints } from "@/server/webhooks/endpoints/list";
import { endpointSchema, endpointWithSecretSchema } from "@/server/webhooks/endpoints/view";

export const GET = route({
  operation: listWebhookEndpoints,
  summary: "List webhook endpoints",
  response: pageOf(endpointSchema),
});

export const POST = route({
  operation: createWebhookEndpoint,
  summary: "Register a webhook endpoint",
  description:
    "The answer holds the signing secret, this once. An empty eventTypes means every event; a pattern such as credential.* takes in types added later.",
  response: endpointWithSecretSchema,
  statuses: [201],
  example: {
    request: { url: "https://example.edu/hooks", description: "Student system", eventTypes: ["credential.*"] },
  },
});
