import { route } from "@/server/http/rest/route";
import { resendWebhookDelivery } from "@/server/webhooks/deliveries/resend";
import { deliverySchema } from "@/server/webhooks/deliveries/delivery-view";

export const POST = route({
  operation: resendWebhookDelivery,
  summary: "Send a delivery again",
  description: "At once, with the whole schedule of retries before it.",
  response: deliverySchema,
});
