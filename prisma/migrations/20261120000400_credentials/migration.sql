-- What a version reads of a subject, so that issuing an academic credential need not open the design with its images.
ALTER TABLE "template_versions" ADD COLUMN "bindings" TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE "templates" ADD CHECK ("status" IN ('draft', 'published', 'archived'));

-- A worker holds its job by the lock of the row, for as long as the transaction of a chunk (server/DECISIONS.md).
ALTER TABLE "bulk_jobs" DROP COLUMN "lease_until", DROP COLUMN "claim_id";
ALTER TABLE "bulk_jobs" ADD COLUMN "scopes" TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE "bulk_jobs" ADD COLUMN "served_at" TIMESTAMPTZ(3);
ALTER TABLE "bulk_jobs" ADD CHECK ("state" IN ('queued', 'running', 'completed', 'cancelled'));
CREATE INDEX "bulk_jobs_org_id_served_at_idx" ON "bulk_jobs" ("org_id", "served_at");
CREATE INDEX "bulk_rows_failed_idx" ON "bulk_rows" ("org_id", "job_id", "index") WHERE NOT "ok";
