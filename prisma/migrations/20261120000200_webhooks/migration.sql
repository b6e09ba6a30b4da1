-- AlterTable
ALTER TABLE "webhook_endpoints"
  ADD COLUMN "headers" BYTEA,
  ADD COLUMN "header_names" TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN "rate_limit" INTEGER,
  ADD COLUMN "enabled_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "last_failure_at" TIMESTAMPTZ(3),
  ADD COLUMN "last_failure_detail" TEXT;

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN "body" TEXT, ADD COLUMN "retry_step" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "webhook_attempts"
  ADD COLUMN "response_headers" JSONB,
  ADD COLUMN "response_truncated" BOOLEAN NOT NULL DEFAULT false;

-- DropIndex: old attempts are found by their ids, which sort by time.
DROP INDEX "webhook_attempts_created_at_idx";

-- CreateTable
CREATE TABLE "webhook_paces" (
    "org_id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_paces_pkey" PRIMARY KEY ("org_id","endpoint_id")
);

-- CreateTable
CREATE TABLE "webhook_statistics" (
    "org_id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "ok" BOOLEAN NOT NULL,
    "bucket" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL,

    CONSTRAINT "webhook_statistics_pkey" PRIMARY KEY ("org_id","endpoint_id","hour","ok","bucket")
);


-- What follows cannot be said in schema.prisma.

ALTER TABLE "webhook_endpoints" ADD CHECK ("rate_limit" BETWEEN 1 AND 1000);

-- A claim writes claim_id and lease_until alone. Without an index on them it moves no row to other pages or indexes (HOT).
-- A lease that ran out is found as what is due is found: by next_attempt_at.
DROP INDEX "webhook_deliveries_leased_idx";

-- Ids are of one organisation each, so that an index by id need not begin with it; and only the primary key does, so that no
-- plan made while the tables were small mistakes another for it.
DROP INDEX "webhook_deliveries_org_id_endpoint_id_id_idx";
DROP INDEX "webhook_deliveries_org_id_event_id_idx";
DROP INDEX "webhook_attempts_org_id_delivery_id_id_idx";
CREATE INDEX "webhook_deliveries_endpoint_id_id_idx" ON "webhook_deliveries"("endpoint_id", "id");
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");
CREATE INDEX "webhook_attempts_delivery_id_id_idx" ON "webhook_attempts"("delivery_id", "id");

-- In the order of sending. With the id, so that a claim goes on where the one before ended instead of stepping over what that took.
DROP INDEX "webhook_deliveries_due_idx";
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" ("endpoint_id", "next_attempt_at", "id") WHERE "status" = 'pending';

-- The outbox by organisation, so that the sequencer serves all of them in turn.
DROP INDEX "events_unsequenced_idx";
CREATE INDEX "events_unsequenced_idx" ON "events" ("org_id", "position") WHERE "sequence" IS NULL;

-- What people look for, and what recover gathers: the few that did not arrive.
CREATE INDEX "webhook_deliveries_stuck_idx" ON "webhook_deliveries" ("endpoint_id", "status", "id") WHERE "status" IN ('failed', 'parked');
CREATE INDEX "webhook_deliveries_stuck_org_idx" ON "webhook_deliveries" ("org_id", "status", "id") WHERE "status" IN ('failed', 'parked');

-- Rows that are written again and again, in place.
ALTER TABLE "webhook_paces" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE "webhook_statistics" SET (fillfactor = 70);

-- 25 bits as five characters of Crockford base32.
CREATE FUNCTION crockford_25_bits(value BIGINT) RETURNS TEXT
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$
    SELECT substr(digits, 1 + (value >> 20 & 31)::int, 1) || substr(digits, 1 + (value >> 15 & 31)::int, 1)
      || substr(digits, 1 + (value >> 10 & 31)::int, 1) || substr(digits, 1 + (value >> 5 & 31)::int, 1)
      || substr(digits, 1 + (value & 31)::int, 1)
    FROM (VALUES ('0123456789abcdefghjkmnpqrstvwxyz')) AS alphabet (digits)
  $$;
