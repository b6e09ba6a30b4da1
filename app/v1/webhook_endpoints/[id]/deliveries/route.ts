import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { deliverySchema } from "@/server/webhooks/deliveries/delivery-view";
import { listEndpointDeliveries } from "@/server/webhooks/deliveries/list-deliveries";

export const GET = route({
  operation: listEndpointDeliveries,
  summary: "List the deliveries to an endpoint",
  response: pageOf(deliverySchema),
});
