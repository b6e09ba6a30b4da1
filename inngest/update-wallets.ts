import { cron } from "inngest";
import { Failures } from "@/server/core/failures";
import { pushDevices } from "@/server/wallets/apple/push-devices";
import { pushService } from "@/server/wallets/apple/push-service";
import { googleService } from "@/server/wallets/google/service";
import { updateGooglePasses } from "@/server/wallets/google/update-passes";
import { applyWalletChanges } from "@/server/wallets/apply-changes";
import { inngest } from "./client";
import { walletsDue } from "./events";
import { tellFailure } from "./tell-failure";
import { Turn } from "./turn";

/** How long one run processes changes, in milliseconds. The next run continues. */
const withinMs = 5_000;

/**
 * Updates the passes in wallets whose credentials changed, and notifies Google and the phones that hold them. A part
 * that fails does not stop the others.
 */
export const updateWallets = inngest.createFunction(
  {
    id: "update-wallets",
    retries: 3,
    onFailure: tellFailure,
    triggers: [walletsDue, cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => {
    const turn = new Turn(withinMs);
    const failures = new Failures();
    while ((await failures.keep(applyWalletChanges(new Date())))?.more && !turn.isOver);
    const [apple, google] = await Promise.all([
      failures.keep(pushDevices(pushService(), () => new Date())),
      failures.keep(updateGooglePasses(googleService(), () => new Date())),
    ]);
    failures.throw();
    return { ...apple, ...google };
  },
);
