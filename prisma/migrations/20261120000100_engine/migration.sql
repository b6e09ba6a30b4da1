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

-- Gives back what processes held that went away, then claims what is due, oldest first within each function: at most
-- `free` runs of it, and never so many that more than `limit` with one concurrency key run, in whatever process.
-- `rooms`: [{"id": function, "free": int, "limit": int | null}]. `known`: the caller's functions. `driven`: null, or the time of a driven clock.
-- Returns {"runs": [...], "nextInMs": until the next run falls due | null}.
-- A function, because counting what runs and taking what may run must see the same state: one claim at a time, in all
-- processes, and each statement after the lock with a snapshot of its own. The number of the lock is arbitrary.
-- The settings keep a plan that was made when the table was empty from being used when it is full.
CREATE FUNCTION engine_claim(claim UUID, lease_ms INTEGER, rooms JSON, known TEXT[], driven TIMESTAMPTZ) RETURNS JSON
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off
  AS $$
DECLARE
  moment TIMESTAMPTZ;
  claimed JSON;
  next_due TIMESTAMPTZ;
BEGIN
  PERFORM pg_advisory_xact_lock(7266332);
  moment := coalesce(driven, clock_timestamp());

  UPDATE engine_runs SET state = 'queued', claim_id = NULL, lease_until = NULL, lapses = lapses + 1, due_at = moment
  WHERE state = 'running' AND lease_until < moment AND function_id = ANY(known);

  WITH room AS (
    SELECT * FROM json_to_recordset(rooms) AS r(id TEXT, free INTEGER, "limit" INTEGER)
  ), busy AS MATERIALIZED (
    SELECT concurrency_key, count(*) AS running FROM engine_runs
    WHERE state = 'running' AND concurrency_key IS NOT NULL GROUP BY concurrency_key
  ), due AS (
    SELECT head.id, head.concurrency_key, room."limit" - coalesce(busy.running, 0) AS vacant,
      row_number() OVER (PARTITION BY head.concurrency_key ORDER BY head.due_at, head.id) AS place
    FROM room CROSS JOIN LATERAL (
      SELECT run.id, run.due_at, run.concurrency_key FROM engine_runs run
      WHERE run.function_id = room.id AND run.state = 'queued' AND run.due_at <= moment
        AND NOT EXISTS (SELECT FROM busy WHERE busy.concurrency_key = run.concurrency_key AND busy.running >= room."limit")
      ORDER BY run.due_at LIMIT room.free
    ) head LEFT JOIN busy ON busy.concurrency_key = head.concurrency_key
  ), taken AS (
    UPDATE engine_runs run
    SET state = 'running', claim_id = claim, lease_until = moment + lease_ms * interval '1 millisecond',
      started_at = coalesce(run.started_at, moment)
    FROM due
    WHERE run.id = due.id AND (due.concurrency_key IS NULL OR due.vacant IS NULL OR due.place <= due.vacant)
    RETURNING run.*
  )
  SELECT json_agg(json_build_object(
    'id', id, 'claimId', claim, 'functionId', function_id, 'event', event, 'attempt', attempt, 'lapses', lapses, 'signal', signal,
    'steps', (
      SELECT json_agg(json_build_object('id', step.id, 'position', step.position, 'attempt', step.attempt,
        'ripe', step.due_at <= moment, 'result', step.result) ORDER BY step.position)
      FROM engine_steps step WHERE step.run_id = taken.id)
  )) INTO claimed FROM taken;

  SELECT min(head.due_at) INTO next_due
  FROM unnest(known) AS f(id) CROSS JOIN LATERAL (
    SELECT due_at FROM engine_runs WHERE function_id = f.id AND state = 'queued' AND due_at > moment ORDER BY due_at LIMIT 1
  ) head;

  RETURN json_build_object('runs', coalesce(claimed, '[]'),
    'nextInMs', ceil(least(extract(epoch FROM next_due - moment), 3600) * 1000));
END $$;
