import { route } from "@/server/http/rest/route";
import { deleteWebhookEndpoint } from "@/server/webhooks/endpoints/delete";
import { getWebhookEndpoint } from "@/server/webhooks/endpoints/get";
import { updateWebhookEndpoint } from "@/server/webhooks/endpoints/update";
import { endpointSchema } from "@/server/webhooks/endpoints/view";

export const GET = route({
  operation: getWebhookEndpoint,
  summary: "Get a webhook endpoint",
  response: endpointSchema,
});

export const PATCH = route({
  operation: updateWebhookEndpoint,
  summary: "Change a webhook endpoint",
  response: endpointSchema,
  example: { request: { eventTypes: ["credential.*", "subject.deactivated"] } },
});

export const DELETE = route({
  operation: deleteWebhookEndpoint,
  summary: "Delete a webhook endpoint",
  description: "What is due to it is cancelled.",
  response: null,
});
