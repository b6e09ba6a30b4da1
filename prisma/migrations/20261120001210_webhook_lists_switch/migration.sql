-- AlterTable
ALTER TABLE "webhook_endpoints"
  ADD COLUMN "last_failure_class" TEXT,
  ADD COLUMN "last_failure_delivery_id" TEXT;

-- What the migration before built takes the place of these.
DROP INDEX "webhook_deliveries_endpoint_id_id_idx";
DROP INDEX "webhook_deliveries_stuck_idx";
DROP INDEX "webhook_deliveries_stuck_org_idx";
ALTER INDEX "webhook_deliveries_stuck_idx_new" RENAME TO "webhook_deliveries_stuck_idx";
ALTER INDEX "webhook_deliveries_stuck_org_idx_new" RENAME TO "webhook_deliveries_stuck_org_idx";
