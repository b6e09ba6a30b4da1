import { route } from "@/server/http/rest/route";
import { replayMissingEvents } from "@/server/webhooks/deliveries/replay-missing";
import { recoverySchema } from "@/server/webhooks/deliveries/recover";

export const POST = route({
  operation: replayMissingEvents,
  summary: "Send the events that an endpoint never had a delivery of",
  description:
    "Events of the log since a time that the endpoint subscribes to now: from before it was registered, or before its eventTypes took them in.",
  response: recoverySchema,
  statuses: [202],
  location: ({ endpointId }) => `/v1/webhook_endpoints/${endpointId}/deliveries`,
  example: { request: { since: "2026-09-01T00:00:00Z" } },
});
