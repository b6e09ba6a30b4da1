import { route } from "@/server/http/rest/route";
import { sendWebhookTest } from "@/server/webhooks/deliveries/send-test";
import { deliverySchema } from "@/server/webhooks/deliveries/delivery-view";

export const POST = route({
  operation: sendWebhookTest,
  summary: "Send a test delivery",
  description:
    "A realistic sample of an event type. It is not in the log, has test: true and the sequence 0, and is not retried.",
  response: deliverySchema,
  statuses: [202],
  location: ({ id }) => `/v1/webhook_deliveries/${id}`,
  example: { request: { type: "credential.revoked" } },
});
