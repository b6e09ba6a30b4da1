-- What acts later on somebody's behalf stops when they may no longer act, and says why.
ALTER TABLE "bulk_jobs" ADD COLUMN "stop_reason" TEXT;
ALTER TABLE "bulk_jobs" DROP CONSTRAINT "bulk_jobs_state_check";
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_state_check" CHECK ("state" IN ('queued', 'running', 'completed', 'cancelled', 'stopped'));

-- Set by the operator: a suspended organisation's tokens, sessions, jobs and webhooks rest; a disabled account signs in nowhere.
ALTER TABLE "organisations" ADD COLUMN "suspended_at" TIMESTAMPTZ(3);
ALTER TABLE "users" ADD COLUMN "disabled_at" TIMESTAMPTZ(3);
