import { route } from "@/server/http/route";
import { deliveryWithBodySchema, getWebhookDelivery } from "@/server/webhooks/get-delivery";

export const GET = route({
  operation: getWebhookDelivery,
  summary: "Get a delivery with its body",
  response: deliveryWithBodySchema,
});
