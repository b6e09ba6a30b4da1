import { getEvent } from "@/server/events/get";
import { eventSchema } from "@/server/events/view";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: getEvent, summary: "Get an event", response: eventSchema });
