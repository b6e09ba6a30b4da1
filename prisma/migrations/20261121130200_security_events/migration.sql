-- Attempts to get in, and to do more than one may. No foreign key: 'none' stands for no organisation.
CREATE TABLE "security_events" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "address" TEXT,
    "target_type" TEXT,
    "target_id" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "request_id" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "security_events_pkey" PRIMARY KEY ("org_id", "id")
);
CREATE UNIQUE INDEX "security_events_org_id_dedupe_key_key" ON "security_events" ("org_id", "dedupe_key");
CREATE INDEX "security_events_org_id_hour_idx" ON "security_events" ("org_id", "hour");
CREATE INDEX "security_events_last_at_idx" ON "security_events" ("last_at");
