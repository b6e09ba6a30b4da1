import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { deliverySchema } from "@/server/webhooks/deliveries/delivery-view";
import { listWebhookDeliveries } from "@/server/webhooks/deliveries/list-deliveries";

export const GET = route({
  operation: listWebhookDeliveries,
  summary: "List the deliveries to all endpoints",
  response: pageOf(deliverySchema),
});
