import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/route";
import { attemptSchema } from "@/server/webhooks/attempt-view";
import { listWebhookAttempts } from "@/server/webhooks/list-attempts";

export const GET = route({
  operation: listWebhookAttempts,
  summary: "List the attempts of a delivery",
  response: pageOf(attemptSchema),
});
