-- What callers keep with their objects for themselves. Never public, never in events.
ALTER TABLE "credentials" ADD COLUMN "metadata" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "templates" ADD COLUMN "metadata" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "webhook_endpoints" ADD COLUMN "metadata" JSONB NOT NULL DEFAULT '{}';
