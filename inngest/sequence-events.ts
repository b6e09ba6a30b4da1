import { cron } from "inngest";
import { sequencer } from "@/server/consumers";
import { inngest } from "./client";
import { tellFailure } from "./tell-failure";

/**
 * Numbers committed events that no process has numbered: their process ended after the commit, or a command line wrote
 * them.
 */
export const sequenceEventsFunction = inngest.createFunction(
  {
    id: "sequence-events",
    retries: 3,
    onFailure: tellFailure,
    triggers: [cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => ({ numbered: await sequencer().drain() }),
);
