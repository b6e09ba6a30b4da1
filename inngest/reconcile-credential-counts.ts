import { cron } from "inngest";
import { reconcileCredentialCounts } from "@/server/credentials/reconcile-counts";
import { inngest } from "./client";
import { tellFailure } from "./tell-failure";

/** Corrects the counters of credentials once a night, in case data was loaded past them. */
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
