import { listEventTypes } from "@/server/events/event-types";
import { getEvent } from "@/server/events/get";
import { listEvents } from "@/server/events/list";
import { fromQuery, router } from "../trpc";

export const eventsRouter = router({
  types: fromQuery(listEventTypes),
  list: fromQuery(listEvents),
  get: fromQuery(getEvent),
});
