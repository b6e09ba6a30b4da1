import { route } from "@/server/http/route";
import { resendWebhookDelivery } from "@/server/webhooks/resend";
import { deliverySchema } from "@/server/webhooks/delivery-view";

export const POST = route({
  operation: resendWebhookDelivery,
  summary: "Send a delivery again",
  description: "At once, with the whole schedule of retries before it.",
  response: deliverySchema,
});
