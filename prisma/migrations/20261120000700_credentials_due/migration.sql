-- When the state that is written stops being the state that readers see: a pending credential starts, a live one expires.
-- One index of what is due serves the sweep and the lists. By expires_at and state apart, PostgreSQL would take them for
-- independent, expect that much of what has expired is still live, and read a million rows to find the few.
ALTER TABLE "credentials" ADD COLUMN "due_at" TIMESTAMPTZ(3) GENERATED ALWAYS AS (
  CASE WHEN "state" = 'pending' THEN least("valid_from", "expires_at") WHEN "state" IN ('active', 'suspended') THEN "expires_at" END
) STORED;
CREATE INDEX "credentials_due_idx" ON "credentials" ("due_at") WHERE "due_at" IS NOT NULL;
DROP INDEX "credentials_expiry_due_idx";
DROP INDEX "credentials_start_due_idx";
