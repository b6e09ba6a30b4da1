import { cron } from "inngest";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { inngest } from "./client";
import { bulkQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** A run hands over to another after this time, since an Inngest server waits only so long for an answer. */
const withinMs = 10_000;

/**
 * Works off bulk jobs, a chunk of one and a chunk of the next, until none is due. The cron finds what a killed process
 * left behind.
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
