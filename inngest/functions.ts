import type { InngestFunction } from "inngest";
import { deliverWebhooks } from "./deliver-webhooks";
import { evaluateRuleGroups } from "./evaluate-rule-groups";
import { expireCredentials } from "./expire-credentials";
import { foldCounts } from "./fold-credential-counts";
import { foldMembers } from "./fold-group-counts";
import { importPhotos } from "./import-photos";
import { reconcileCounts } from "./reconcile-credential-counts";
import { reconcileMembers } from "./reconcile-group-counts";
import { retention } from "./retention";
import { runBulkJobs } from "./run-bulk-jobs";
import { fetchConnectors } from "./fetch-connectors";
import { runConnectors } from "./run-connectors";
import { runPolicies } from "./run-policies";
import { sendAccountMailFunction } from "./send-account-mail";
import { sendMessagesFunction } from "./send-messages";
import { sendNotifications } from "./send-notifications";
import { updateWallets } from "./update-wallets";
import { sequenceEventsFunction } from "./sequence-events";

/** All functions, for the engine, the route and the conformance test. Each has its own file; append new ones here. */
export const functions: InngestFunction.Any[] = [
  sequenceEventsFunction,
  deliverWebhooks,
  runBulkJobs,
  runConnectors,
  fetchConnectors,
  importPhotos,
  runPolicies,
  expireCredentials,
  sendNotifications,
  sendAccountMailFunction,
  sendMessagesFunction,
  updateWallets,
  foldCounts,
  reconcileCounts,
  evaluateRuleGroups,
  foldMembers,
  reconcileMembers,
  retention,
];
