-- What lists are sorted by (server/subjects/list.ts, server/credentials/list.ts). The expressions are never null, so that a page can begin behind any row.
CREATE INDEX "subjects_org_id_updated_at_id_idx" ON "subjects" ("org_id", "updated_at", "id");
CREATE INDEX "credentials_org_id_updated_at_id_idx" ON "credentials" ("org_id", "updated_at", "id");

-- Their predicates always hold: schema.prisma cannot state an index on an expression, and counts one with a predicate as none of its own.
CREATE INDEX "subjects_name_idx" ON "subjects" ("org_id", (search_fold("display_name") COLLATE "C"), "id") WHERE "org_id" IS NOT NULL;
-- A pending credential stands where it will be issued, one that never expires behind all that do.
CREATE INDEX "credentials_issued_idx" ON "credentials" ("org_id", (coalesce("issued_at", "valid_from")), "id") WHERE "org_id" IS NOT NULL;
CREATE INDEX "credentials_expires_idx" ON "credentials" ("org_id", (coalesce("expires_at", 'infinity')), "id") WHERE "org_id" IS NOT NULL;
