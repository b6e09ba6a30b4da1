import { route } from "@/server/http/rest/route";
import { retireWebhookSecret } from "@/server/webhooks/endpoints/retire-secret";
import { endpointSchema } from "@/server/webhooks/endpoints/view";

export const POST = route({
  operation: retireWebhookSecret,
  summary: "Retire the old secret of a rotation now",
  description: "Deliveries are signed with the current secret alone from now on.",
  response: endpointSchema,
});
