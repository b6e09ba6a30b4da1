-- Whose doing an event is, and the template of the credential or version that it tells of: to be found by. The body has both, but no index can read it cheaply.
ALTER TABLE "events" ADD COLUMN "actor_id" TEXT, ADD COLUMN "template_id" TEXT;
UPDATE "events" SET
  "actor_id" = substring("body" FROM '"actor":\{"type":"[a-z_]+","id":"([^"\\]*)"'),
  "template_id" = substring("body" FROM '"templateId":"(tpl_[0-9a-z]{26})"');
CREATE INDEX "events_actor_idx" ON "events" ("org_id", "actor_id", "sequence") WHERE "sequence" IS NOT NULL;
CREATE INDEX "events_template_idx" ON "events" ("org_id", "template_id", "sequence") WHERE "sequence" IS NOT NULL AND "template_id" IS NOT NULL;
-- Where in the log an instant is (server/events/list.ts).
CREATE INDEX "events_created_idx" ON "events" ("org_id", "created_at") WHERE "sequence" IS NOT NULL;
