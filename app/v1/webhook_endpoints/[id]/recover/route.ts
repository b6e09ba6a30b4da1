import { route } from "@/server/http/rest/route";
import { recoverWebhookEndpoint, recoverySchema } from "@/server/webhooks/deliveries/recover";

export const POST = route({
  operation: recoverWebhookEndpoint,
  summary: "Send again what failed or was parked since a time",
  description: "With the whole schedule of retries before each delivery. What expired meanwhile is left.",
  response: recoverySchema,
  statuses: [202],
  location: ({ endpointId }) => `/v1/webhook_endpoints/${endpointId}/deliveries`,
  example: { request: { since: "2026-09-01T00:00:00Z" } },
});
