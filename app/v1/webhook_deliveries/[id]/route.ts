import { route } from "@/server/http/rest/route";
import { deliveryWithBodySchema, getWebhookDelivery } from "@/server/webhooks/deliveries/get-delivery";

export const GET = route({
  operation: getWebhookDelivery,
  summary: "Get a delivery with its body",
  response: deliveryWithBodySchema,
});
