import { cron } from "inngest";
import { foldCredentialCounts } from "@/server/credentials/fold-counts";
import { inngest } from "./client";
import { tellFailure } from "./tell-failure";
import { Turn } from "./turn";

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
    const turn = new Turn(withinMs);
    let folded = batch;
    while (folded === batch && !turn.isOver) folded = await foldCredentialCounts(batch);
  },
);
