-- Erasure of a person (docs/decisions/155): see server/erasure/columns.ts for what becomes of each column.
ALTER TABLE "subjects" ADD COLUMN "erased_at" TIMESTAMPTZ(3);
-- The body was blanked: what it told of a person is gone.
ALTER TABLE "events" ADD COLUMN "erased" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "erasure_keys" (
    "org_id" TEXT NOT NULL,
    "key" BYTEA NOT NULL,

    CONSTRAINT "erasure_keys_pkey" PRIMARY KEY ("org_id")
);
ALTER TABLE "erasure_keys" ADD CONSTRAINT "erasure_keys_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The people that a stored answer tells of. Null in answers from before this migration, which are looked through one by one while they last: 24 hours.
ALTER TABLE "idempotency_records" ADD COLUMN "subject_ids" TEXT[];
CREATE INDEX "idempotency_records_subjects_idx" ON "idempotency_records" USING gin ("subject_ids");
CREATE INDEX "idempotency_records_unread_idx" ON "idempotency_records" ("org_id") WHERE "subject_ids" IS NULL;

-- Whom a row of a bulk job names: a credential, a subject by id, or a subject by its external id in the form of server/subjects/external-id.ts
-- (NFC, without white space around it). Cut off, since a row that is not valid can hold any length. Null once the row is done and its input cleared.
CREATE FUNCTION bulk_row_names(input JSONB) RETURNS TEXT
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN left(coalesce(
    input ->> 'id',
    input #>> '{subject,id}',
    btrim(normalize(input #>> '{subject,externalId}', NFC), E' \t\n\x0b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')
  ), 256);
CREATE INDEX "bulk_rows_names_idx" ON "bulk_rows" ("org_id", (bulk_row_names("input"))) WHERE bulk_row_names("input") IS NOT NULL;
