import { route } from "@/server/http/rest/route";
import { resendSchema, resendWebhookDeliveries } from "@/server/webhooks/deliveries/resend";

export const POST = route({
  operation: resendWebhookDeliveries,
  summary: "Send up to 1,000 deliveries again",
  description:
    "Those that cannot be sent again, for example since their endpoint is disabled, are left out and named in skipped.",
  response: resendSchema,
  example: { request: { ids: ["dlv_01kfa0v3s1e8r9k2n4m6p8q0t2"] } },
});
