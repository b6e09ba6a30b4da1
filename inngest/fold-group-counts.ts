import { cron } from "inngest";
import { foldGroupCounts } from "@/server/groups/fold-counts";
import { inngest } from "./client";
import { tellFailure } from "./tell-failure";
import { Turn } from "./turn";

const batch = 10_000;
/** A run ends after this time at the latest; the next run continues. */
const withinMs = 10_000;

/**
 * Merges the counter rows of group members, so that they are quick to add up. Without this they stay exact but become
 * slower to read.
 */
export const foldMembers = inngest.createFunction(
  {
    id: "fold-group-counts",
    retries: 3,
    onFailure: tellFailure,
    triggers: [cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => {
    const turn = new Turn(withinMs);
    let folded = batch;
    while (folded === batch && !turn.isOver) folded = await foldGroupCounts(batch);
  },
);
