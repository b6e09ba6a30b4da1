-- What `q` looks in, folded once when it is written: to look at a row then costs a twentieth of folding it anew.
ALTER TABLE "subjects" ADD COLUMN "search" TEXT NOT NULL GENERATED ALWAYS AS (subject_search("display_name", "email", "external_id")) STORED;

-- Its predicate always holds: schema.prisma cannot state this index, and counts one with a predicate as none of its own.
DROP INDEX "subjects_search_idx";
CREATE INDEX "subjects_search_idx" ON "subjects" USING gin ("org_id", "search" gin_trgm_ops) WHERE "org_id" IS NOT NULL;

-- Those with letters that folding does not bring into ASCII. Two characters are too few for trigrams: server/subjects/search.ts.
CREATE INDEX "subjects_beyond_ascii_idx" ON "subjects" ("org_id", "id") WHERE octet_length("search") <> char_length("search");
