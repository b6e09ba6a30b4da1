import { route } from "@/server/http/rest/route";
import { rotateWebhookSecret } from "@/server/webhooks/endpoints/rotate-secret";
import { endpointWithSecretSchema } from "@/server/webhooks/endpoints/view";

export const POST = route({
  operation: rotateWebhookSecret,
  summary: "Give an endpoint a new signing secret",
  description:
    "The answer holds the new secret, this once. Until the old one expires, deliveries carry the signatures of both.",
  response: endpointWithSecretSchema,
});
