import { cron } from "inngest";
import { reconcileGroupCounts } from "@/server/groups/reconcile-counts";
import { inngest } from "./client";
import { tellFailure } from "./tell-failure";

/** Once a night: corrects counters of group members that a load of data bypassed. */
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
