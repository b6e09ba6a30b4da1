-- AlterTable
ALTER TABLE "webhook_endpoints"
  ADD COLUMN "last_failure_class" TEXT,
  ADD COLUMN "last_failure_delivery_id" TEXT;

-- One index for another, so that a delivery is written to as many as before: by endpoint and type, a list narrowed to either
-- or to both is read from its newest row on, however rare what it asks for.
DROP INDEX "webhook_deliveries_endpoint_id_id_idx";
CREATE INDEX "webhook_deliveries_endpoint_id_event_type_id_idx" ON "webhook_deliveries"("endpoint_id", "event_type", "id");


-- What follows cannot be said in schema.prisma.

-- Those that were cancelled are few as well, and as hard to find without an index.
DROP INDEX "webhook_deliveries_stuck_idx";
DROP INDEX "webhook_deliveries_stuck_org_idx";
CREATE INDEX "webhook_deliveries_stuck_idx" ON "webhook_deliveries" ("endpoint_id", "status", "id") WHERE "status" IN ('failed', 'parked', 'cancelled');
CREATE INDEX "webhook_deliveries_stuck_org_idx" ON "webhook_deliveries" ("org_id", "status", "id") WHERE "status" IN ('failed', 'parked', 'cancelled');
