-- CreateTable
CREATE TABLE "engine_runs" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "function_id" TEXT NOT NULL,
    "event" JSON NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "lapses" INTEGER NOT NULL DEFAULT 0,
    "signal" TEXT,
    "concurrency_key" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "claim_id" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "output" JSON,
    "error" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "engine_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_steps" (
    "run_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "position" INTEGER,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "result" JSON,

    CONSTRAINT "engine_steps_pkey" PRIMARY KEY ("run_id","id")
);

-- CreateTable
CREATE TABLE "engine_event_ids" (
    "id" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "engine_event_ids_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_schedules" (
    "function_id" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "last_tick" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "engine_schedules_pkey" PRIMARY KEY ("function_id","cron")
);

-- CreateIndex
CREATE INDEX "engine_event_ids_seen_at_idx" ON "engine_event_ids"("seen_at");

-- AddForeignKey
ALTER TABLE "engine_steps" ADD CONSTRAINT "engine_steps_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "engine_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What follows cannot be said in schema.prisma.

CREATE INDEX "engine_runs_due_idx" ON "engine_runs" ("function_id", "due_at") WHERE "state" = 'queued';
CREATE INDEX "engine_runs_leased_idx" ON "engine_runs" ("lease_until") WHERE "state" = 'running';
CREATE INDEX "engine_runs_signal_idx" ON "engine_runs" ("function_id", "signal")
  WHERE "state" = 'queued' AND "signal" IS NOT NULL;
CREATE INDEX "engine_runs_finished_idx" ON "engine_runs" ("state", "finished_at") WHERE "finished_at" IS NOT NULL;

ALTER TABLE "engine_runs" ADD CHECK ("state" IN ('queued', 'running', 'succeeded', 'failed'));
ALTER TABLE "engine_runs" ADD CHECK (("state" = 'running') = ("claim_id" IS NOT NULL AND "lease_until" IS NOT NULL));

-- Rows here live for milliseconds; the default would vacuum after a fifth of the table has died.
ALTER TABLE "engine_runs" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE "engine_steps" SET (autovacuum_vacuum_scale_factor = 0.01);
