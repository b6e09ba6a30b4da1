import { eventTypePage, listEventTypes } from "@/server/events/event-types";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listEventTypes,
  summary: "List the event types that can be subscribed to",
  response: eventTypePage,
});
