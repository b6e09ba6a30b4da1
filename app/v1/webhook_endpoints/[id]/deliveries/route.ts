import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/route";
import { deliverySchema } from "@/server/webhooks/delivery-view";
import { listEndpointDeliveries } from "@/server/webhooks/list-deliveries";

export const GET = route({
  operation: listEndpointDeliveries,
  summary: "List the deliveries to an endpoint",
  response: pageOf(deliverySchema),
});
