-- CreateTable
CREATE TABLE "organisations" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "requests_per_minute" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organisations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "password_hash" TEXT,
    "session_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "one_time_links" (
    "token_hash" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "org_id" TEXT,
    "email" TEXT,
    "role" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "one_time_links_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_by" JSONB NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "oauth_clients" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_by" JSONB NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_clients_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "oauth_client_secrets" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "client_ref" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_client_secrets_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "hash" TEXT NOT NULL,
    "org_id" TEXT NOT NULL,
    "client_ref" TEXT NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "org_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "answer" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("org_id","key")
);

-- CreateTable
CREATE TABLE "events" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "sequence" BIGINT,
    "type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "event_counters" (
    "org_id" TEXT NOT NULL,
    "last_sequence" BIGINT NOT NULL,

    CONSTRAINT "event_counters_pkey" PRIMARY KEY ("org_id")
);

-- CreateTable
CREATE TABLE "subjects" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "email" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active',
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subjects_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "templates" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "current_version" INTEGER,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "templates_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "template_versions" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "template_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "design" JSONB NOT NULL DEFAULT '{}',
    "validity" JSONB NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "archived_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "template_versions_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "credentials" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "template_id" TEXT NOT NULL,
    "template_version_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "issued_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "suspended_at" TIMESTAMPTZ(3),
    "suspension_reason" TEXT,
    "revoked_at" TIMESTAMPTZ(3),
    "revocation_reason" TEXT,
    "supersedes" TEXT,
    "superseded_by" TEXT,
    "source_type" TEXT NOT NULL,
    "source_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "credential_history" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "from_state" TEXT,
    "to_state" TEXT NOT NULL,
    "reason" TEXT,
    "note" TEXT,
    "actor" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credential_history_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "bulk_jobs" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "actor" JSONB NOT NULL,
    "params" JSONB NOT NULL DEFAULT '{}',
    "total" INTEGER NOT NULL,
    "succeeded" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "claim_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_jobs_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "bulk_rows" (
    "org_id" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "input" JSONB NOT NULL,
    "ok" BOOLEAN,
    "result" JSONB,

    CONSTRAINT "bulk_rows_pkey" PRIMARY KEY ("org_id","job_id","index")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "event_types" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'active',
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "trigger" TEXT NOT NULL DEFAULT 'event',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "claim_id" TEXT,
    "last_status_code" INTEGER,
    "last_error_class" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "org_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "trigger" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "address" TEXT,
    "request_headers" JSONB NOT NULL,
    "status_code" INTEGER,
    "error_class" TEXT,
    "error_detail" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "response_body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "organisations_slug_key" ON "organisations"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "memberships_org_id_user_id_key" ON "memberships"("org_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_clients_client_id_key" ON "oauth_clients"("client_id");

-- CreateIndex
CREATE INDEX "oauth_client_secrets_org_id_client_ref_idx" ON "oauth_client_secrets"("org_id", "client_ref");

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "access_tokens_org_id_client_ref_idx" ON "access_tokens"("org_id", "client_ref");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- CreateIndex
CREATE INDEX "events_org_id_sequence_idx" ON "events"("org_id", "sequence");

-- CreateIndex
CREATE INDEX "events_org_id_type_sequence_idx" ON "events"("org_id", "type", "sequence");

-- CreateIndex
CREATE INDEX "events_org_id_resource_id_sequence_idx" ON "events"("org_id", "resource_id", "sequence");

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "events"("created_at");

-- CreateIndex
CREATE INDEX "subjects_org_id_status_id_idx" ON "subjects"("org_id", "status", "id");

-- CreateIndex
CREATE UNIQUE INDEX "subjects_org_id_external_id_key" ON "subjects"("org_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "templates_org_id_slug_key" ON "templates"("org_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "template_versions_org_id_template_id_version_key" ON "template_versions"("org_id", "template_id", "version");

-- CreateIndex
CREATE UNIQUE INDEX "credentials_code_key" ON "credentials"("code");

-- CreateIndex
CREATE INDEX "credentials_org_id_subject_id_id_idx" ON "credentials"("org_id", "subject_id", "id");

-- CreateIndex
CREATE INDEX "credentials_org_id_template_id_id_idx" ON "credentials"("org_id", "template_id", "id");

-- CreateIndex
CREATE INDEX "credentials_org_id_state_id_idx" ON "credentials"("org_id", "state", "id");

-- CreateIndex
CREATE INDEX "credential_history_org_id_credential_id_id_idx" ON "credential_history"("org_id", "credential_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_org_id_endpoint_id_id_idx" ON "webhook_deliveries"("org_id", "endpoint_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_org_id_event_id_idx" ON "webhook_deliveries"("org_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_attempts_org_id_delivery_id_id_idx" ON "webhook_attempts"("org_id", "delivery_id", "id");

-- CreateIndex
CREATE INDEX "webhook_attempts_created_at_idx" ON "webhook_attempts"("created_at");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_client_secrets" ADD CONSTRAINT "oauth_client_secrets_org_id_client_ref_fkey" FOREIGN KEY ("org_id", "client_ref") REFERENCES "oauth_clients"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subjects" ADD CONSTRAINT "subjects_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "templates" ADD CONSTRAINT "templates_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_org_id_template_id_fkey" FOREIGN KEY ("org_id", "template_id") REFERENCES "templates"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_org_id_template_id_fkey" FOREIGN KEY ("org_id", "template_id") REFERENCES "templates"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_org_id_template_version_id_fkey" FOREIGN KEY ("org_id", "template_version_id") REFERENCES "template_versions"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential_history" ADD CONSTRAINT "credential_history_org_id_credential_id_fkey" FOREIGN KEY ("org_id", "credential_id") REFERENCES "credentials"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bulk_rows" ADD CONSTRAINT "bulk_rows_org_id_job_id_fkey" FOREIGN KEY ("org_id", "job_id") REFERENCES "bulk_jobs"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What follows cannot be said in schema.prisma.

-- Search without regard to case and accents. unaccent() is only STABLE since its dictionary could be changed; ours is
-- named and never is, so that an index on it is sound.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE FUNCTION search_fold(value TEXT) RETURNS TEXT
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT lower(public.unaccent('public.unaccent'::regdictionary, value)) $$;

CREATE FUNCTION subject_search(display_name TEXT, email TEXT, external_id TEXT) RETURNS TEXT
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT public.search_fold(display_name || E'\n' || coalesce(email, '') || E'\n' || external_id) $$;

CREATE INDEX "subjects_search_idx" ON "subjects"
  USING gin ("org_id", subject_search("display_name", "email", "external_id") gin_trgm_ops);

-- One live credential for a subject and template (contract section 7).
CREATE UNIQUE INDEX "credentials_one_live_idx" ON "credentials" ("org_id", "subject_id", "template_id")
  WHERE "state" IN ('pending', 'active', 'suspended');
CREATE INDEX "credentials_expiry_due_idx" ON "credentials" ("expires_at")
  WHERE "state" IN ('pending', 'active', 'suspended') AND "expires_at" IS NOT NULL;
CREATE INDEX "credentials_start_due_idx" ON "credentials" ("valid_from") WHERE "state" = 'pending';

-- The outbox: what the sequencer has still to number, in the order of writing.
CREATE INDEX "events_unsequenced_idx" ON "events" ("position") WHERE "sequence" IS NULL;

CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" ("org_id", "endpoint_id", "next_attempt_at")
  WHERE "status" = 'pending';
CREATE INDEX "webhook_deliveries_leased_idx" ON "webhook_deliveries" ("lease_until")
  WHERE "status" = 'pending' AND "lease_until" IS NOT NULL;
ALTER TABLE "webhook_deliveries" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX "bulk_jobs_due_idx" ON "bulk_jobs" ("created_at") WHERE "state" IN ('queued', 'running');

ALTER TABLE "subjects" ADD CHECK ("status" IN ('active', 'inactive'));
ALTER TABLE "templates" ADD CHECK ("kind" IN ('membership', 'employee_id', 'student_id', 'academic'));
ALTER TABLE "template_versions" ADD CHECK ("status" IN ('draft', 'published', 'archived'));
ALTER TABLE "credentials" ADD CHECK ("state" IN ('pending', 'active', 'suspended', 'expired', 'revoked'));
ALTER TABLE "credentials" ADD CHECK (("state" = 'revoked') = ("revoked_at" IS NOT NULL));
ALTER TABLE "webhook_endpoints" ADD CHECK ("status" IN ('active', 'paused', 'disabled'));
ALTER TABLE "webhook_deliveries" ADD CHECK ("status" IN ('pending', 'succeeded', 'failed', 'parked', 'cancelled'));
ALTER TABLE "memberships" ADD CHECK ("role" IN ('owner', 'admin', 'issuer', 'viewer'));

-- True where the type is named, or one of the patterns is a family of it: `credential.*` takes in `credential.channel.installed`.
CREATE FUNCTION event_matches(type TEXT, patterns TEXT[]) RETURNS BOOLEAN
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT bool_or(CASE WHEN pattern LIKE '%.*' THEN starts_with(type, left(pattern, -1)) ELSE type = pattern END)
        FROM unnest(patterns) AS pattern $$;

-- An id of the form of server/core/ids.ts for rows that a statement makes: a prefix and a UUIDv7 in Crockford base32.
CREATE FUNCTION new_id(prefix TEXT) RETURNS TEXT
  LANGUAGE sql VOLATILE PARALLEL SAFE
  AS $$
    SELECT prefix || '_' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + (substr(bits, 1 + 5 * n, 5)::bit(5))::int, 1), '' ORDER BY n)
    FROM (SELECT '00' || ('x' || encode(uuid_send(uuidv7()), 'hex'))::bit(128)::text AS bits) AS id, generate_series(0, 25) AS n
  $$;

-- JSON merge: deep for objects, arrays and scalars replaced, null removes the key (contract section 4).
CREATE FUNCTION merge_attributes(stored JSONB, sent JSONB) RETURNS JSONB
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
  AS $$
  DECLARE
    merged JSONB := stored;
    key TEXT;
    value JSONB;
  BEGIN
    FOR key, value IN SELECT * FROM jsonb_each(sent) LOOP
      IF value = 'null' THEN
        merged := merged - key;
      ELSIF jsonb_typeof(value) = 'object' THEN
        merged := merged || jsonb_build_object(key, merge_attributes(
          CASE WHEN jsonb_typeof(merged -> key) = 'object' THEN merged -> key ELSE '{}' END, value));
      ELSE
        merged := merged || jsonb_build_object(key, value);
      END IF;
    END LOOP;
    RETURN merged;
  END
  $$;
