import { cron } from "inngest";
import { reconcileGroupCounts } from "@/server/groups/reconcile-counts";
import { inngest } from "./client";
import { tellFailure } from "./tell-failure";

/** Corrects the counters of group members once a night, in case data was loaded past them. */
export const reconcileMembers = inngest.createFunction(
  {
    id: "reconcile-group-counts",
    retries: 3,
    onFailure: tellFailure,
    triggers: [cron("47 3 * * *")],
    concurrency: { limit: 1 },
  },
  async () => ({ corrected: await reconcileGroupCounts() }),
);
