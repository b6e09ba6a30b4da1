import { cron } from "inngest";
import { sequenceEvents } from "@/server/events/sequence";
import { dispatcher } from "@/server/webhooks/running";
import { inngest } from "./client";
import { eventsAppended } from "./events";
import { tellFailure } from "./tell-failure";

/** Numbers what was appended and sends its deliveries off at once. The cron finds what a lost nudge left behind. */
export const sequenceEventsFunction = inngest.createFunction(
  { id: "sequence-events", retries: 3, onFailure: tellFailure, triggers: [eventsAppended, cron("* * * * *")], concurrency: { limit: 1 } },
  async () => {
    let numbered = 0;
    for (let more = true; more; ) {
      const sequenced = await sequenceEvents();
      if (sequenced.endpoints.length > 0) dispatcher().wake(sequenced.endpoints);
      numbered += sequenced.events;
      more = sequenced.more;
    }
    return { numbered };
  },
);
