import { cron } from "inngest";
import { foldCredentialCounts } from "@/server/credentials/fold-counts";
import { inngest } from "./client";
import { tellFailure } from "./tell-failure";

const batch = 10_000;
/** A run ends after this time at the latest; the next run continues. */
const withinMs = 20_000;

/**
 * Folds the counter rows of credentials together, so that they are quick to add up. Without it they stay exact but
 * become slower to read.
 */
export const foldCounts = inngest.createFunction(
  {
    id: "fold-credential-counts",
    retries: 3,
    onFailure: tellFailure,
    triggers: [cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => {
    const until = Date.now() + withinMs;
    let folded = batch;
    while (folded === batch && Date.now() < until) folded = await foldCredentialCounts(batch);
  },
);
