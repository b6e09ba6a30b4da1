import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/route";
import { deliverySchema } from "@/server/webhooks/delivery-view";
import { listWebhookDeliveries } from "@/server/webhooks/list-deliveries";

export const GET = route({
  operation: listWebhookDeliveries,
  summary: "List the deliveries to all endpoints",
  response: pageOf(deliverySchema),
});
