import { applyWalletChanges } from "../apply-changes";
import { pushDevices } from "../apple/push-devices";
import { pushService } from "../apple/push-service";
import { googleService } from "../google/service";
import { updateGooglePasses } from "../google/update-passes";

// Does one part of the job that updates passes. The parent kills this process in the middle.
const now = () => new Date();
const parts: Record<string, () => Promise<unknown>> = {
  changes: () => applyWalletChanges(now()),
  apple: () => pushDevices(pushService(), now),
  google: () => updateGooglePasses(googleService(), now),
};
await parts[process.argv[2]!]!();
