-- Partial, so that only the primary key fits the check of the foreign key of bulk_rows: with a plan made while the table was small, that
-- check read every job of the organisation for each row.
DROP INDEX "bulk_jobs_org_id_served_at_idx";
CREATE INDEX "bulk_jobs_served_idx" ON "bulk_jobs" ("org_id", "served_at") WHERE "served_at" IS NOT NULL;
