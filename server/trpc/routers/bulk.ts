import { applyTemplateVersion } from "@/server/credentials/apply-version";
import { bulkCredentials } from "@/server/credentials/bulk";
import { cancelBulkJob } from "@/server/credentials/cancel-bulk-job";
import { exportBulkRows } from "@/server/credentials/export-bulk-rows";
import { getBulkJob } from "@/server/credentials/get-bulk-job";
import { listBulkJobs } from "@/server/credentials/list-bulk-jobs";
import { listBulkRows } from "@/server/credentials/list-bulk-rows";
import { revokeTemplateCredentials } from "@/server/credentials/revoke-template";
import { fromCommand, fromDownload, fromQuery, router } from "../trpc";

/** One action on many credentials: run at once, or as a job that can be followed and cancelled. */
export const bulkRouter = router({
  start: fromCommand(bulkCredentials),
  applyVersion: fromCommand(applyTemplateVersion),
  revokeTemplate: fromCommand(revokeTemplateCredentials),
  list: fromQuery(listBulkJobs),
  get: fromQuery(getBulkJob),
  rows: fromQuery(listBulkRows),
  exportRows: fromDownload(exportBulkRows),
  cancel: fromCommand(cancelBulkJob),
});
