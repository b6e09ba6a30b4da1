import { cron } from "inngest";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { inngest } from "./client";
import { bulkQueued } from "./events";
import { tellFailure } from "./tell-failure";
import { workByTurns } from "./turn";

/**
 * Runs bulk jobs, one chunk of each job in turn, until none is due. The cron finds jobs of a process that was killed.
 */
export const runBulkJobs = inngest.createFunction(
  {
    id: "run-bulk-jobs",
    retries: 3,
    onFailure: tellFailure,
    triggers: [bulkQueued, cron("* * * * *")],
    concurrency: { limit: 2 },
  },
  async () => {
    const chunks = await workByTurns(
      () => runBulkChunk(new Date()),
      () => inngest.send(bulkQueued.create({})),
    );
    return { chunks };
  },
);
