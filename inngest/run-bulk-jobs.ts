import { cron } from "inngest";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { inngest } from "./client";
import { bulkQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** After this time a run queues the next run and ends, because an Inngest server waits only so long for an answer. */
const withinMs = 10_000;

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
    const until = Date.now() + withinMs;
    let chunks = 0;
    while (await runBulkChunk(new Date())) {
      chunks++;
      if (Date.now() < until) continue;
      await inngest.send(bulkQueued.create({}));
      break;
    }
    return { chunks };
  },
);
