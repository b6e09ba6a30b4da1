-- The log is read by sequence alone, so that an event enters these indexes once, when it is numbered, and not before that as well.
DROP INDEX "events_org_id_sequence_idx";
DROP INDEX "events_org_id_type_sequence_idx";
DROP INDEX "events_org_id_resource_id_sequence_idx";
CREATE INDEX "events_org_id_sequence_idx" ON "events" ("org_id", "sequence") WHERE "sequence" IS NOT NULL;
CREATE INDEX "events_org_id_type_sequence_idx" ON "events" ("org_id", "type", "sequence") WHERE "sequence" IS NOT NULL;
CREATE INDEX "events_org_id_resource_id_sequence_idx" ON "events" ("org_id", "resource_id", "sequence") WHERE "sequence" IS NOT NULL;

-- DropIndex: old events are found by their ids, which sort by time.
DROP INDEX "events_created_at_idx";
