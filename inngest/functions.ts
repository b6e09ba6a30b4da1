import type { InngestFunction } from "inngest";
import { deliverWebhooks } from "./deliver-webhooks";
import { expireCredentials } from "./expire-credentials";
import { foldCounts } from "./fold-credential-counts";
import { reconcileCounts } from "./reconcile-credential-counts";
import { retention } from "./retention";
import { runBulkJobs } from "./run-bulk-jobs";
import { sendAccountMailFunction } from "./send-account-mail";
import { sendNotifications } from "./send-notifications";
import { sequenceEventsFunction } from "./sequence-events";

/** Every function, for the engine, for the route and for the conformance test. One file a function; append it here. */
export const functions: InngestFunction.Any[] = [
  sequenceEventsFunction,
  deliverWebhooks,
  runBulkJobs,
  expireCredentials,
  sendNotifications,
  sendAccountMailFunction,
  foldCounts,
  reconcileCounts,
  retention,
];
