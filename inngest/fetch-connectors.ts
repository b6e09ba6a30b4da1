import { cron } from "inngest";
import { fetchNext } from "@/server/connectors/run/fetch";
import { inngest } from "./client";
import { connectorsQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** A run takes no further fetch after this time, and hands over to another run. */
const withinMs = 10_000;

/**
 * Asks the sources of connectors for the files of their runs. One fetch takes up to 15 minutes, since a source may be
 * slow; so these runs have a function of their own, and the others do not wait. The cron finds what a killed process
 * left behind.
 */
export const fetchConnectors = inngest.createFunction(
  {
    id: "fetch-connectors",
    retries: 3,
    onFailure: tellFailure,
    triggers: [connectorsQueued, cron("* * * * *")],
    concurrency: { limit: 4 },
  },
  async () => {
    const until = Date.now() + withinMs;
    let fetched = 0;
    while (await fetchNext(new Date())) {
      fetched++;
      if (Date.now() < until) continue;
      await inngest.send(connectorsQueued.create({}));
      break;
    }
    return { fetched };
  },
);
