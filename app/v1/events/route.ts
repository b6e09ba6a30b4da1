import { pageOf } from "@/server/core/pagination";
import { listEvents } from "@/server/events/list";
import { eventSchema } from "@/server/events/view";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listEvents,
  summary: "Read the event log",
  description:
    "With after, the events that follow that sequence, in order: poll with the last sequence seen and nothing is missed. Without it, newest first.",
  response: pageOf(eventSchema),
});
