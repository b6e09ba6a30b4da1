import { route } from "@/server/http/route";
import { retireWebhookSecret } from "@/server/webhooks/retire-secret";
import { endpointSchema } from "@/server/webhooks/view";

export const POST = route({
  operation: retireWebhookSecret,
  summary: "Retire the old secret of a rotation now",
  description: "Deliveries are signed with the current secret alone from now on.",
  response: endpointSchema,
});
