import { cron } from "inngest";
import { reconcileCredentialCounts } from "@/server/credentials/reconcile-counts";
import { inngest } from "./client";
import { tellFailure } from "./tell-failure";

/** Once a night: corrects counters of credentials that a load of data bypassed. */
export const reconcileCounts = inngest.createFunction(
  {
    id: "reconcile-credential-counts",
    retries: 3,
    onFailure: tellFailure,
    triggers: [cron("41 3 * * *")],
    concurrency: { limit: 1 },
  },
  async () => ({ corrected: await reconcileCredentialCounts(new Date()) }),
);
