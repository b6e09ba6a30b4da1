import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { attemptSchema } from "@/server/webhooks/deliveries/attempt-view";
import { listWebhookAttempts } from "@/server/webhooks/deliveries/list-attempts";

export const GET = route({
  operation: listWebhookAttempts,
  summary: "List the attempts of a delivery",
  response: pageOf(attemptSchema),
});
