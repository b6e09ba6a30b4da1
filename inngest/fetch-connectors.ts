import { cron } from "inngest";
import { fetchNext } from "@/server/connectors/run/fetch";
import { fileAway } from "@/server/connectors/run/file-away";
import { inngest } from "./client";
import { connectorsQueued } from "./events";
import { tellFailure } from "./tell-failure";
import { workByTurns } from "./turn";

/**
 * Fetches the files of connectors' runs from their sources, and moves files on SFTP servers away after their run. One
 * fetch can take up to 15 minutes, because a source may be slow. These fetches therefore have a function of their own,
 * so that other runs do not wait. A fetch mostly waits for the network, hence the concurrency. The cron finds what a
 * killed process left behind.
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
    const fetched = await workByTurns(
      // Move fetched files away first, because their connectors fetch nothing until then.
      async () => (await fileAway(new Date())) || (await fetchNext(new Date())),
      () => inngest.send(connectorsQueued.create({})),
    );
    return { fetched };
  },
);
