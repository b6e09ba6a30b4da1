-- Indexes are built here, beside those that they replace, while rows can be read and none can be written. What locks readers out as
-- well is quick and has a migration, and so a transaction, of its own: held together, the two could wait for a writer that waits for
-- them.

-- One index for another, so that a delivery is written to as many as before: by endpoint and type, a list narrowed to either
-- or to both is read from its newest row on, however rare what it asks for.
CREATE INDEX "webhook_deliveries_endpoint_id_event_type_id_idx" ON "webhook_deliveries"("endpoint_id", "event_type", "id");


-- What follows cannot be said in schema.prisma.

-- Those that were cancelled are few as well, and as hard to find without an index.
CREATE INDEX "webhook_deliveries_stuck_idx_new" ON "webhook_deliveries" ("endpoint_id", "status", "id") WHERE "status" IN ('failed', 'parked', 'cancelled');
CREATE INDEX "webhook_deliveries_stuck_org_idx_new" ON "webhook_deliveries" ("org_id", "status", "id") WHERE "status" IN ('failed', 'parked', 'cancelled');
