import { cron } from "inngest";
import { fetchNext } from "@/server/connectors/run/fetch";
import { fileAway } from "@/server/connectors/run/file-away";
import { inngest } from "./client";
import { connectorsQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** A run takes no further fetch after this time, and hands over to another run. */
const withinMs = 10_000;

/**
 * Asks the sources of connectors for the files of their runs, and moves files of SFTP servers away when their run is
 * over. One fetch takes up to 15 minutes, since a source may be slow; so these runs have a function of their own, and
 * the others do not wait. Most of a fetch is waiting, hence the number. The cron finds what a killed process left
 * behind.
 */
export const fetchConnectors = inngest.createFunction(
  {
    id: "fetch-connectors",
    retries: 3,
    onFailure: tellFailure,
    triggers: [connectorsQueued, cron("* * * * *")],
    concurrency: { limit: 8 },
  },
  async () => {
    const until = Date.now() + withinMs;
    let fetched = 0;
    // First what was fetched before is moved out of the way: until then, its connector fetches nothing.
    while ((await fileAway(new Date())) || (await fetchNext(new Date()))) {
      fetched++;
      if (Date.now() < until) continue;
      await inngest.send(connectorsQueued.create({}));
      break;
    }
    return { fetched };
  },
);
