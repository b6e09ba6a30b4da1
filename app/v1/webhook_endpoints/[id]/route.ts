import { route } from "@/server/http/route";
import { deleteWebhookEndpoint } from "@/server/webhooks/delete";
import { getWebhookEndpoint } from "@/server/webhooks/get";
import { updateWebhookEndpoint } from "@/server/webhooks/update";
import { endpointSchema } from "@/server/webhooks/view";

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
