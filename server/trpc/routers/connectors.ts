import { approveConnectorRun } from "@/server/connectors/approve-run";
import { cancelConnectorRun } from "@/server/connectors/cancel-run";
import { createConnector } from "@/server/connectors/create";
import { deleteConnector } from "@/server/connectors/delete";
import { exportConnectorRunErrors } from "@/server/connectors/export-run-errors";
import { exportRejectedRows } from "@/server/connectors/export-rejected-rows";
import { getConnector } from "@/server/connectors/get";
import { getConnectorRun } from "@/server/connectors/get-run";
import { listConnectors } from "@/server/connectors/list";
import { listConnectorAlerts } from "@/server/connectors/list-alerts";
import { listFailingConnectors } from "@/server/connectors/list-failing";
import { listHeldRuns } from "@/server/connectors/list-held-runs";
import { listConnectorRunErrors } from "@/server/connectors/list-run-errors";
import { listConnectorRemovals } from "@/server/connectors/list-run-removals";
import { listConnectorRuns } from "@/server/connectors/list-runs";
import { listReadAttributes } from "@/server/connectors/read-attributes";
import { previewConnector } from "@/server/connectors/preview";
import { sampleConnectorFile } from "@/server/connectors/sample-file";
import { getSftpAccess } from "@/server/connectors/sftp/get-access";
import { createSftpPassword, deleteSftpPassword } from "@/server/connectors/sftp/password";
import { syncConnector } from "@/server/connectors/sync";
import { testConnectorSource } from "@/server/connectors/test-source";
import { listFeedDifferences } from "@/server/connectors/list-differences";
import { undoConnectorRun } from "@/server/connectors/undo-run";
import { updateConnector } from "@/server/connectors/update";
import { uploadToConnector } from "@/server/connectors/upload";
import { countDrift } from "@/server/scim/overview/count-drift";
import { listDrift } from "@/server/scim/overview/list-drift";
import { listDirectoryGroups } from "@/server/scim/overview/list-groups";
import { listLastRequests } from "@/server/scim/overview/list-last-requests";
import { listScimRequests } from "@/server/scim/overview/list-requests";
import { listDirectoryUsers } from "@/server/scim/overview/list-users";
import { approveStagedRemovals } from "@/server/scim/removals/approve";
import { discardStagedRemovals } from "@/server/scim/removals/discard";
import { listStagedRemovals } from "@/server/scim/removals/list";
import { listWaitingDirectories } from "@/server/scim/removals/list-waiting";
import { summariseStagedRemovals } from "@/server/scim/removals/summary";
import { createConnectorToken } from "@/server/scim/tokens/create";
import { deleteConnectorToken } from "@/server/scim/tokens/delete";
import { listConnectorTokens } from "@/server/scim/tokens/list";
import { previewFromPage, sampleFromPage, uploadFromPage } from "../connector-file";
import {
  fromCommand,
  fromCommandSentAs,
  fromDownload,
  fromQuery,
  fromTagged,
  fromTaggedCommand,
  router,
} from "../trpc";

export const connectorsRouter = router({
  list: fromQuery(listConnectors),
  attributes: fromQuery(listReadAttributes),
  get: fromTagged(getConnector),
  create: fromCommand(createConnector),
  update: fromTaggedCommand(updateConnector),
  delete: fromCommand(deleteConnector),
  upload: fromCommandSentAs(uploadToConnector, uploadFromPage),
  heldRuns: fromQuery(listHeldRuns),
  failing: fromQuery(listFailingConnectors),
  alerts: fromQuery(listConnectorAlerts),
  lastRequests: fromQuery(listLastRequests),
  waitingDirectories: fromQuery(listWaitingDirectories),
  preview: fromCommandSentAs(previewConnector, previewFromPage),
  sample: fromCommandSentAs(sampleConnectorFile, sampleFromPage),
  sync: fromCommand(syncConnector),
  test: fromCommand(testConnectorSource),
  runs: fromQuery(listConnectorRuns),
  run: fromQuery(getConnectorRun),
  errors: fromQuery(listConnectorRunErrors),
  exportErrors: fromDownload(exportConnectorRunErrors),
  exportRejected: fromDownload(exportRejectedRows),
  removals: fromQuery(listConnectorRemovals),
  approve: fromCommand(approveConnectorRun),
  cancel: fromCommand(cancelConnectorRun),
  undo: fromCommand(undoConnectorRun),
  sftp: fromQuery(getSftpAccess),
  createSftpPassword: fromCommand(createSftpPassword),
  deleteSftpPassword: fromCommand(deleteSftpPassword),
  tokens: fromQuery(listConnectorTokens),
  createToken: fromCommand(createConnectorToken),
  deleteToken: fromCommand(deleteConnectorToken),
  staged: fromQuery(listStagedRemovals),
  stagedSummary: fromQuery(summariseStagedRemovals),
  approveStaged: fromCommand(approveStagedRemovals),
  discardStaged: fromCommand(discardStagedRemovals),
  requests: fromQuery(listScimRequests),
  directoryUsers: fromQuery(listDirectoryUsers),
  directoryGroups: fromQuery(listDirectoryGroups),
  differences: fromQuery(listFeedDifferences),
  drift: fromQuery(listDrift),
  driftCounts: fromQuery(countDrift),
});
