-- The whole structure of the first release.
-- Part 1 is what prisma/schema.prisma states, as `prisma migrate diff` writes it, without the two generated columns (part 2.4).
-- Part 2 is what schema.prisma cannot state.
-- prisma/structure.txt shows the result, one entry a table (`npm run structure`).


-- ================================================================ 1. What schema.prisma states

-- CreateTable
CREATE TABLE "organisations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "confirmed_name" TEXT,
    "slug" TEXT NOT NULL,
    "requests_per_minute" INTEGER,
    "suspended_at" TIMESTAMPTZ(3),
    "require_second_factor" BOOLEAN NOT NULL DEFAULT false,
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "locale" TEXT NOT NULL DEFAULT 'en-GB',
    "recipient_identity" TEXT NOT NULL DEFAULT 'hashed',
    "messages" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organisations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "password_hash" TEXT,
    "email_verified_at" TIMESTAMPTZ(3),
    "session_version" INTEGER NOT NULL DEFAULT 1,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "authenticator_apps" (
    "user_id" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "last_step" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "authenticator_apps_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "passkeys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "user_id" UUID NOT NULL,
    "code_hash" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id","code_hash")
);

-- CreateTable
CREATE TABLE "challenges" (
    "token_hash" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "user_id" UUID,
    "session_version" INTEGER,
    "webauthn_challenge" TEXT,
    "sso" BYTEA,
    "proof" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "challenges_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "sso_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "sso_identities_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateTable
CREATE TABLE "account_mails" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "link_id" UUID,
    "link" BYTEA,
    "change" TEXT,
    "locale" TEXT,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "claim_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "one_time_links" (
    "token_hash" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "org_id" UUID,
    "email" TEXT,
    "role" TEXT,
    "mailed" BOOLEAN NOT NULL DEFAULT false,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_by" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "one_time_links_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "console_sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "session_version" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "console_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_by" JSONB NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "connector_id" UUID,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "oauth_clients" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
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
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "client_ref" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_client_secrets_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "hash" TEXT NOT NULL,
    "org_id" UUID NOT NULL,
    "client_ref" UUID NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "issuer_keys" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "activated_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "issuer_keys_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "issuer_domains" (
    "org_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3),
    "problem" TEXT,
    "activated_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "issuer_domains_pkey" PRIMARY KEY ("org_id","domain")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
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
CREATE TABLE "master_secret" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "fingerprint" TEXT NOT NULL,
    "previous" TEXT,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "master_secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "security_events" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "address" TEXT,
    "target_type" TEXT,
    "target_id" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "buckets" BIT(4096),
    "request_id" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "security_events_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "org_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "answer" BYTEA NOT NULL,
    "subject_ids" UUID[],
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("org_id","key")
);

-- CreateTable
CREATE TABLE "events" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "resource_id" UUID NOT NULL,
    "body" TEXT NOT NULL,
    "erased" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("org_id","id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "event_outbox" (
    "org_id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "resource_id" UUID NOT NULL,
    "actor_id" TEXT,
    "template_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_outbox_pkey" PRIMARY KEY ("org_id","position")
);

-- CreateTable
CREATE TABLE "event_log" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "resource_id" UUID NOT NULL,
    "actor_id" TEXT,
    "template_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_log_pkey" PRIMARY KEY ("org_id","id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "event_counters" (
    "org_id" UUID NOT NULL,
    "last_sequence" BIGINT NOT NULL,

    CONSTRAINT "event_counters_pkey" PRIMARY KEY ("org_id")
);

-- CreateTable
CREATE TABLE "subjects" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "email" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active',
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "erased_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "photo_at" TIMESTAMPTZ(3),
    "photo_status" TEXT,
    "photo_reason" TEXT,
    "name_at" TIMESTAMPTZ(3),
    "photo_by" JSONB,

    CONSTRAINT "subjects_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "subject_sources" (
    "org_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "source_id" UUID NOT NULL,
    "key" TEXT,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "missing_since" TIMESTAMPTZ(3),
    "ended" BOOLEAN NOT NULL DEFAULT false,
    "inactive" BOOLEAN NOT NULL DEFAULT false,
    "stated" TEXT[],

    CONSTRAINT "subject_sources_pkey" PRIMARY KEY ("org_id","subject_id","type","source_id")
);

-- CreateTable
CREATE TABLE "erasure_keys" (
    "org_id" UUID NOT NULL,
    "key" BYTEA NOT NULL,

    CONSTRAINT "erasure_keys_pkey" PRIMARY KEY ("org_id")
);

-- CreateTable
CREATE TABLE "subject_photos" (
    "org_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "rendition" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,

    CONSTRAINT "subject_photos_pkey" PRIMARY KEY ("org_id","subject_id","rendition")
);

-- CreateTable
CREATE TABLE "blobs" (
    "org_id" UUID NOT NULL,
    "sha256" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "idle_since" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blobs_pkey" PRIMARY KEY ("org_id","sha256")
);

-- CreateTable
CREATE TABLE "photo_imports" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "actor" JSONB NOT NULL,
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "access_token" TEXT,
    "sha256" TEXT,
    "size" BIGINT NOT NULL,
    "total" INTEGER NOT NULL,
    "processed" INTEGER NOT NULL DEFAULT 0,
    "written" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "rejected" INTEGER NOT NULL DEFAULT 0,
    "ignored" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claim_id" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "served_at" TIMESTAMPTZ(3),
    "stop_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "photo_imports_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "photo_rejections" (
    "org_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "file_name" TEXT,
    "external_id" TEXT,
    "code" TEXT NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "photo_rejections_pkey" PRIMARY KEY ("org_id","import_id","index")
);

-- CreateTable
CREATE TABLE "groups" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "external_id" TEXT,
    "description" TEXT NOT NULL DEFAULT '',
    "kind" TEXT NOT NULL,
    "rule" JSONB,
    "rule_group_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "evaluated_at" TIMESTAMPTZ(3),
    "evaluated_to" UUID,
    "evaluating_since" TIMESTAMPTZ(3),
    "served_at" TIMESTAMPTZ(3),
    "evaluation_problem" TEXT,
    "evaluation_failures" INTEGER NOT NULL DEFAULT 0,
    "retry_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "group_members" (
    "org_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_members_pkey" PRIMARY KEY ("org_id","group_id","subject_id")
);

-- CreateTable
CREATE TABLE "group_counts" (
    "org_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "group_counts_pkey" PRIMARY KEY ("org_id","group_id")
);

-- CreateTable
CREATE TABLE "group_count_deltas" (
    "org_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "group_id" UUID NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "group_count_deltas_pkey" PRIMARY KEY ("org_id","group_id","id")
);

-- CreateTable
CREATE TABLE "achievements" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "current_version" INTEGER,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "latest_version" INTEGER NOT NULL DEFAULT 1,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "achievements_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "achievement_versions" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "achievement_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "name" TEXT,
    "content" JSONB NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "archived_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "achievement_versions_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "achievement_images" (
    "org_id" UUID NOT NULL,
    "version_id" UUID NOT NULL,
    "sha256" TEXT NOT NULL,

    CONSTRAINT "achievement_images_pkey" PRIMARY KEY ("org_id","version_id")
);

-- CreateTable
CREATE TABLE "templates" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "current_version" INTEGER,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "repeatable" BOOLEAN NOT NULL DEFAULT false,
    "confirm_name" BOOLEAN NOT NULL DEFAULT false,
    "latest_version" INTEGER NOT NULL DEFAULT 1,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "message_kinds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "expiring_days" INTEGER NOT NULL DEFAULT 30,
    "messages" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "templates_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "template_versions" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "design" JSONB NOT NULL DEFAULT '{}',
    "validity" JSONB NOT NULL,
    "bindings" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "formats" JSONB NOT NULL DEFAULT '[]',
    "public_fields" JSONB,
    "public_name" BOOLEAN NOT NULL DEFAULT true,
    "signed_qr" BOOLEAN NOT NULL DEFAULT false,
    "photo" TEXT,
    "achievement_id" UUID,
    "published_at" TIMESTAMPTZ(3),
    "archived_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "template_versions_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "credentials" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "template_version_id" UUID NOT NULL,
    "achievement_version_id" UUID,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "issued_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "expiry_explicit" BOOLEAN NOT NULL DEFAULT false,
    "shortened" BOOLEAN NOT NULL DEFAULT false,
    "suspended_at" TIMESTAMPTZ(3),
    "suspension_reason" TEXT,
    "suspended_by_policy" BOOLEAN NOT NULL DEFAULT false,
    "revoked_at" TIMESTAMPTZ(3),
    "revocation_reason" TEXT,
    "supersedes" UUID,
    "superseded_by" UUID,
    "linked_publicly" BOOLEAN NOT NULL DEFAULT false,
    "exclusive" BOOLEAN NOT NULL DEFAULT true,
    "listed" BOOLEAN NOT NULL DEFAULT false,
    "source_type" TEXT NOT NULL,
    "source_id" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "recipient" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "claim_links" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "template_id" UUID NOT NULL,
    "max_claims" INTEGER,
    "claimed" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3),
    "approval" BOOLEAN NOT NULL DEFAULT false,
    "fields" JSONB,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "claim_links_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "claims" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "claim_link_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "locale" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "subject_id" UUID,
    "credential_id" UUID,
    "confirmation_id" UUID,
    "decided_by" JSONB,
    "decided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "claims_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "address_proofs" (
    "id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "org_id" UUID,
    "claim_link_id" UUID,
    "email" TEXT NOT NULL,
    "from_email" TEXT,
    "token_hash" TEXT NOT NULL,
    "code_hash" TEXT,
    "guesses" INTEGER NOT NULL DEFAULT 0,
    "proved_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "address_proofs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "holder_sessions" (
    "token_hash" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "holder_sessions_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "holder_addresses" (
    "org_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "holder_addresses_pkey" PRIMARY KEY ("org_id","subject_id","email")
);

-- CreateTable
CREATE TABLE "name_requests" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "decided_by" JSONB,
    "decided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "name_requests_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "name_confirmations" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "exclusive" BOOLEAN NOT NULL,
    "token" TEXT NOT NULL,
    "link_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "terms" JSONB NOT NULL,
    "source_type" TEXT NOT NULL,
    "source_id" TEXT,
    "credential_id" UUID,
    "reason" TEXT,
    "decided_by" JSONB,
    "decided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "name_confirmations_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "credential_channels" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "provisioned_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credential_channels_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "messages" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "credential_id" UUID,
    "confirmation_id" UUID,
    "subject_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "address" TEXT,
    "about" TIMESTAMPTZ(3),
    "state" TEXT NOT NULL DEFAULT 'pending',
    "error" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "claim_id" UUID,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "message_sweeps" (
    "org_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "swept_to" TIMESTAMPTZ(3) NOT NULL,
    "credential_id" UUID NOT NULL,

    CONSTRAINT "message_sweeps_pkey" PRIMARY KEY ("org_id","template_id")
);

-- CreateTable
CREATE TABLE "apple_wallet_settings" (
    "org_id" UUID NOT NULL,
    "pass_type_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "certificate" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,
    "wwdr" TEXT NOT NULL,
    "certificate_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "wwdr_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "apple_wallet_settings_pkey" PRIMARY KEY ("org_id")
);

-- CreateTable
CREATE TABLE "apple_passes" (
    "org_id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "serial" TEXT NOT NULL,
    "token" BYTEA NOT NULL,
    "pass_type_id" TEXT NOT NULL,
    "revised_at" TIMESTAMPTZ(3) NOT NULL,
    "revision" BIGINT NOT NULL DEFAULT 0,
    "forget_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "apple_passes_pkey" PRIMARY KEY ("org_id","credential_id")
);

-- CreateTable
CREATE TABLE "apple_devices" (
    "org_id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "device_id" TEXT NOT NULL,
    "pass_type_id" TEXT NOT NULL,
    "push_token" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "claim_id" UUID,
    "wanted_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "reached_at" TIMESTAMPTZ(3),

    CONSTRAINT "apple_devices_pkey" PRIMARY KEY ("org_id","credential_id","device_id")
);

-- CreateTable
CREATE TABLE "google_wallet_settings" (
    "org_id" UUID NOT NULL,
    "issuer_id" TEXT NOT NULL,
    "client_email" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "google_wallet_settings_pkey" PRIMARY KEY ("org_id")
);

-- CreateTable
CREATE TABLE "google_passes" (
    "org_id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "object_id" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3),
    "revision" BIGINT NOT NULL DEFAULT 0,
    "told" TEXT NOT NULL,
    "notified_at" TIMESTAMPTZ(3)[],
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "claim_id" UUID,
    "wanted_at" TIMESTAMPTZ(3) NOT NULL,
    "forget_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "google_passes_pkey" PRIMARY KEY ("org_id","credential_id")
);

-- CreateTable
CREATE TABLE "wallet_changes" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "wallet_changes_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "credential_history" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
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
CREATE TABLE "status_entries" (
    "org_id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,

    CONSTRAINT "status_entries_pkey" PRIMARY KEY ("org_id","credential_id")
);

-- CreateTable
CREATE TABLE "status_lanes" (
    "org_id" UUID NOT NULL,
    "lane" SMALLINT NOT NULL,
    "capacity" INTEGER NOT NULL DEFAULT 2048,
    "used" INTEGER NOT NULL DEFAULT 0,
    "taken" BYTEA NOT NULL,

    CONSTRAINT "status_lanes_pkey" PRIMARY KEY ("org_id","lane")
);

-- CreateTable
CREATE TABLE "status_changes" (
    "org_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "credential_ids" UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "status_changes_pkey" PRIMARY KEY ("org_id","purpose","id")
);

-- CreateTable
CREATE TABLE "status_lists" (
    "org_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "bits" BYTEA,
    "document" TEXT NOT NULL,
    "jwt" TEXT NOT NULL,
    "key_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "signed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "status_lists_pkey" PRIMARY KEY ("org_id","purpose")
);

-- CreateTable
CREATE TABLE "status_list_copies" (
    "org_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "document" TEXT NOT NULL,
    "jwt" TEXT NOT NULL,
    "key_id" UUID NOT NULL,

    CONSTRAINT "status_list_copies_pkey" PRIMARY KEY ("org_id","purpose","domain")
);

-- CreateTable
CREATE TABLE "badge_documents" (
    "org_id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "jwt" TEXT NOT NULL,
    "key_id" UUID NOT NULL,
    "signed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "badge_documents_pkey" PRIMARY KEY ("org_id","credential_id")
);

-- CreateTable
CREATE TABLE "credential_counts" (
    "org_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "credential_counts_pkey" PRIMARY KEY ("org_id","template_id","state")
);

-- CreateTable
CREATE TABLE "credential_count_deltas" (
    "org_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "template_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "credential_count_deltas_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "credential_action_counts" (
    "org_id" UUID NOT NULL,
    "period" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "credential_action_counts_pkey" PRIMARY KEY ("org_id","period","action")
);

-- CreateTable
CREATE TABLE "credential_action_deltas" (
    "org_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "period" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "credential_action_deltas_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "connectors" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "mapping" JSONB NOT NULL,
    "mode" TEXT NOT NULL,
    "missing" TEXT NOT NULL,
    "adopt" TEXT NOT NULL,
    "limits" JSONB NOT NULL,
    "priority" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "last_full_at" TIMESTAMPTZ(3),
    "schedule" JSONB,
    "next_run_at" TIMESTAMPTZ(3),
    "secret" BYTEA,
    "secret_at" TIMESTAMPTZ(3),
    "pgp_key" BYTEA,
    "pgp" JSONB,
    "sftp_user" TEXT,
    "sftp_hash" TEXT,
    "sftp_at" TIMESTAMPTZ(3),
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "deleted_at" TIMESTAMPTZ(3),
    "fall_back_after" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connectors_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "scim_requests" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "connector_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "method" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "resource_id" UUID,
    "status" INTEGER NOT NULL,
    "error" TEXT,
    "effect" JSONB NOT NULL,
    "is_read" BOOLEAN NOT NULL,
    "duration_ms" INTEGER NOT NULL,

    CONSTRAINT "scim_requests_pkey" PRIMARY KEY ("org_id","connector_id","id")
);

-- CreateTable
CREATE TABLE "connector_runs" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "connector_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "trigger" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "access_token" TEXT,
    "config" JSONB NOT NULL,
    "sha256" TEXT,
    "digest" TEXT,
    "phase" TEXT NOT NULL DEFAULT 'staging',
    "progress" JSONB NOT NULL DEFAULT '{}',
    "file" JSONB NOT NULL DEFAULT '{}',
    "origin" JSONB,
    "filing_at" TIMESTAMPTZ(3),
    "hold" JSONB,
    "error" JSONB,
    "approved" BOOLEAN NOT NULL DEFAULT false,
    "identical" BOOLEAN NOT NULL DEFAULT false,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "created" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "deactivated" INTEGER NOT NULL DEFAULT 0,
    "rejected" INTEGER NOT NULL DEFAULT 0,
    "held" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "deleted" INTEGER NOT NULL DEFAULT 0,
    "undoes" UUID,
    "undone_by" UUID,
    "undo_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "served_at" TIMESTAMPTZ(3),
    "claim_id" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "connector_runs_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "connector_rows" (
    "org_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "line" INTEGER NOT NULL,
    "fields" JSONB,
    "groups" TEXT[],
    "shares_email" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "connector_rows_pkey" PRIMARY KEY ("org_id","run_id","key","line")
);

-- CreateTable
CREATE TABLE "connector_row_errors" (
    "org_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "column" TEXT,
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,

    CONSTRAINT "connector_row_errors_pkey" PRIMARY KEY ("org_id","run_id","line","index")
);

-- CreateTable
CREATE TABLE "connector_changes" (
    "org_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "before" JSONB,
    "adopted" BOOLEAN NOT NULL DEFAULT false,
    "written_at" TIMESTAMPTZ(3),
    "previous_at" TIMESTAMPTZ(3),

    CONSTRAINT "connector_changes_pkey" PRIMARY KEY ("org_id","run_id","subject_id")
);

-- CreateTable
CREATE TABLE "connector_groups" (
    "org_id" UUID NOT NULL,
    "connector_id" UUID NOT NULL,
    "name_key" TEXT NOT NULL,
    "group_id" UUID NOT NULL,

    CONSTRAINT "connector_groups_pkey" PRIMARY KEY ("org_id","connector_id","name_key")
);

-- CreateTable
CREATE TABLE "connector_memberships" (
    "org_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "connector_id" UUID NOT NULL,
    "by_hand" BOOLEAN NOT NULL,

    CONSTRAINT "connector_memberships_pkey" PRIMARY KEY ("org_id","group_id","subject_id","connector_id")
);

-- CreateTable
CREATE TABLE "connector_member_changes" (
    "org_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "connector_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "guarded" BOOLEAN NOT NULL DEFAULT false,
    "counted" BOOLEAN NOT NULL DEFAULT false,
    "state" TEXT NOT NULL DEFAULT 'planned',
    "applied_at" TIMESTAMPTZ(3),

    CONSTRAINT "connector_member_changes_pkey" PRIMARY KEY ("org_id","run_id","group_id","subject_id")
);

-- CreateTable
CREATE TABLE "connector_second_halves" (
    "org_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "after_key" TEXT,
    "after_line" INTEGER NOT NULL,
    "created" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "deactivated" INTEGER NOT NULL DEFAULT 0,
    "rejected" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "connector_second_halves_pkey" PRIMARY KEY ("org_id","run_id")
);

-- CreateTable
CREATE TABLE "connector_rejected_rows" (
    "org_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "cells" TEXT[],

    CONSTRAINT "connector_rejected_rows_pkey" PRIMARY KEY ("org_id","run_id","line")
);

-- CreateTable
CREATE TABLE "connector_removals" (
    "org_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "connector_id" UUID NOT NULL,
    "cause" TEXT NOT NULL,
    "line" INTEGER,
    "state" TEXT NOT NULL DEFAULT 'staged',
    "applied_at" TIMESTAMPTZ(3),

    CONSTRAINT "connector_removals_pkey" PRIMARY KEY ("org_id","run_id","subject_id")
);

-- CreateTable
CREATE TABLE "policies" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "template_id" UUID NOT NULL,
    "group_id" UUID,
    "rule" JSONB,
    "rule_group_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "on_exit" TEXT NOT NULL,
    "reentry" TEXT NOT NULL,
    "grace_days" INTEGER NOT NULL,
    "schedule" JSONB,
    "blast_radius" JSONB NOT NULL,
    "renewal" JSONB,
    "status" TEXT NOT NULL DEFAULT 'active',
    "halted_at" TIMESTAMPTZ(3),
    "next_run_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "policies_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "policy_runs" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "policy_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "trigger" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "access_token" TEXT,
    "config" JSONB NOT NULL,
    "phase" TEXT NOT NULL DEFAULT 'planning',
    "after" UUID,
    "evaluated_at" TIMESTAMPTZ(3),
    "expected" TEXT,
    "plan_hash" TEXT,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "halt" JSONB,
    "error" JSONB,
    "refusal" JSONB,
    "approved" BOOLEAN NOT NULL DEFAULT false,
    "waits_for" UUID,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "served_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "policy_runs_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "policy_removals" (
    "org_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "policy_id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'staged',
    "applied_at" TIMESTAMPTZ(3),

    CONSTRAINT "policy_removals_pkey" PRIMARY KEY ("org_id","run_id","subject_id")
);

-- CreateTable
CREATE TABLE "policy_lapses" (
    "org_id" UUID NOT NULL,
    "policy_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "policy_lapses_pkey" PRIMARY KEY ("org_id","policy_id","subject_id")
);

-- CreateTable
CREATE TABLE "policy_exceptions" (
    "org_id" UUID NOT NULL,
    "policy_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "effect" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "policy_exceptions_pkey" PRIMARY KEY ("org_id","policy_id","subject_id")
);

-- CreateTable
CREATE TABLE "sftp_host_keys" (
    "type" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sftp_host_keys_pkey" PRIMARY KEY ("type")
);

-- CreateTable
CREATE TABLE "scim_users" (
    "org_id" UUID NOT NULL,
    "connector_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "user_key" TEXT NOT NULL,
    "external_id" TEXT,
    "active" BOOLEAN NOT NULL,
    "emails" TEXT[],
    "resource" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "hidden_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scim_users_pkey" PRIMARY KEY ("org_id","connector_id","subject_id")
);

-- CreateTable
CREATE TABLE "scim_removals" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "connector_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "group_id" UUID,
    "cause" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "approved" BOOLEAN NOT NULL DEFAULT false,
    "staged_at" TIMESTAMPTZ(3) NOT NULL,
    "applied_at" TIMESTAMPTZ(3),
    "discarded_at" TIMESTAMPTZ(3),

    CONSTRAINT "scim_removals_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "scim_groups" (
    "org_id" UUID NOT NULL,
    "connector_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "display_name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "external_id" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "hidden_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scim_groups_pkey" PRIMARY KEY ("org_id","group_id")
);

-- CreateTable
CREATE TABLE "scim_pending_members" (
    "org_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "connector_id" UUID NOT NULL,
    "value" TEXT NOT NULL,
    "leaving_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scim_pending_members_pkey" PRIMARY KEY ("org_id","group_id","value")
);

-- CreateTable
CREATE TABLE "bulk_jobs" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "actor" JSONB NOT NULL,
    "params" JSONB NOT NULL DEFAULT '{}',
    "total" INTEGER NOT NULL,
    "succeeded" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "access_token" TEXT,
    "served_at" TIMESTAMPTZ(3),
    "stop_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_jobs_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "bulk_rows" (
    "org_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "input" JSONB NOT NULL,
    "ok" BOOLEAN,
    "result" JSONB,

    CONSTRAINT "bulk_rows_pkey" PRIMARY KEY ("org_id","job_id","index")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
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
    "headers" BYTEA,
    "header_names" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "rate_limit" INTEGER,
    "enabled_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_failure_at" TIMESTAMPTZ(3),
    "last_failure_detail" TEXT,
    "last_failure_class" TEXT,
    "last_failure_delivery_id" UUID,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "trigger" TEXT NOT NULL DEFAULT 'event',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "claim_id" UUID,
    "last_status_code" INTEGER,
    "last_error_class" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),
    "body" TEXT,
    "retry_step" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("org_id","id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "org_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
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
    "response_headers" JSONB,
    "response_truncated" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("org_id","id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "webhook_paces" (
    "org_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_paces_pkey" PRIMARY KEY ("org_id","endpoint_id")
);

-- CreateTable
CREATE TABLE "webhook_statistics" (
    "org_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "ok" BOOLEAN NOT NULL,
    "bucket" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL,

    CONSTRAINT "webhook_statistics_pkey" PRIMARY KEY ("org_id","endpoint_id","hour","ok","bucket")
);

-- CreateTable
CREATE TABLE "notifications" (
    "org_id" UUID NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "claim_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("org_id","dedupe_key")
);

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
CREATE UNIQUE INDEX "organisations_slug_key" ON "organisations"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");

-- CreateIndex
CREATE INDEX "passkeys_user_id_idx" ON "passkeys"("user_id");

-- CreateIndex
CREATE INDEX "challenges_user_id_idx" ON "challenges"("user_id");

-- CreateIndex
CREATE INDEX "challenges_expires_at_idx" ON "challenges"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "sso_identities_user_id_issuer_key" ON "sso_identities"("user_id", "issuer");

-- CreateIndex
CREATE INDEX "account_mails_email_idx" ON "account_mails"("email");

-- CreateIndex
CREATE INDEX "account_mails_link_id_idx" ON "account_mails"("link_id");

-- CreateIndex
CREATE INDEX "account_mails_created_at_idx" ON "account_mails"("created_at");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "memberships_org_id_user_id_key" ON "memberships"("org_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "one_time_links_id_key" ON "one_time_links"("id");

-- CreateIndex
CREATE INDEX "one_time_links_org_id_idx" ON "one_time_links"("org_id");

-- CreateIndex
CREATE INDEX "console_sessions_user_id_idx" ON "console_sessions"("user_id");

-- CreateIndex
CREATE INDEX "console_sessions_expires_at_idx" ON "console_sessions"("expires_at");

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
CREATE INDEX "event_log_org_id_type_sequence_idx" ON "event_log"("org_id", "type", "sequence");

-- CreateIndex
CREATE INDEX "event_log_org_id_resource_id_sequence_idx" ON "event_log"("org_id", "resource_id", "sequence");

-- CreateIndex
CREATE INDEX "event_log_org_id_actor_id_sequence_idx" ON "event_log"("org_id", "actor_id", "sequence");

-- CreateIndex
CREATE INDEX "event_log_org_id_created_at_idx" ON "event_log"("org_id", "created_at");

-- CreateIndex
CREATE INDEX "event_log_org_id_sequence_idx" ON "event_log"("org_id", "sequence");

-- CreateIndex
CREATE INDEX "security_events_org_id_hour_idx" ON "security_events"("org_id", "hour");

-- CreateIndex
CREATE INDEX "security_events_last_at_idx" ON "security_events"("last_at");

-- CreateIndex
CREATE UNIQUE INDEX "security_events_org_id_dedupe_key_key" ON "security_events"("org_id", "dedupe_key");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- CreateIndex
CREATE INDEX "idempotency_records_subjects_idx" ON "idempotency_records" USING GIN ("subject_ids");

-- CreateIndex
CREATE INDEX "subjects_org_id_status_id_idx" ON "subjects"("org_id", "status", "id");

-- CreateIndex
CREATE INDEX "subjects_org_id_updated_at_id_idx" ON "subjects"("org_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "subjects_org_id_external_id_key" ON "subjects"("org_id", "external_id");

-- CreateIndex
CREATE INDEX "subject_photos_org_id_sha256_idx" ON "subject_photos"("org_id", "sha256");

-- CreateIndex
CREATE UNIQUE INDEX "groups_org_id_external_id_key" ON "groups"("org_id", "external_id");

-- CreateIndex
CREATE INDEX "group_members_org_id_subject_id_group_id_idx" ON "group_members"("org_id", "subject_id", "group_id");
CREATE UNIQUE INDEX "connectors_sftp_user_key" ON "connectors"("sftp_user");

-- CreateIndex
CREATE INDEX "connector_runs_org_id_sha256_idx" ON "connector_runs"("org_id", "sha256");

-- CreateIndex
CREATE INDEX "photo_imports_org_id_sha256_idx" ON "photo_imports"("org_id", "sha256");

-- CreateIndex
CREATE INDEX "connector_runs_org_id_connector_id_id_idx" ON "connector_runs"("org_id", "connector_id", "id");

-- CreateIndex
CREATE INDEX "connector_groups_group_id_org_id_idx" ON "connector_groups"("group_id", "org_id");

-- CreateIndex
CREATE INDEX "connector_memberships_org_id_connector_id_subject_id_idx" ON "connector_memberships"("org_id", "connector_id", "subject_id");

-- CreateIndex
CREATE INDEX "connector_removals_org_id_subject_id_idx" ON "connector_removals"("org_id", "subject_id");

-- CreateIndex
CREATE INDEX "policy_runs_org_id_policy_id_id_idx" ON "policy_runs"("org_id", "policy_id", "id");

-- CreateIndex
CREATE INDEX "policy_removals_org_id_credential_id_idx" ON "policy_removals"("org_id", "credential_id");

-- CreateIndex
CREATE INDEX "policy_lapses_org_id_subject_id_idx" ON "policy_lapses"("org_id", "subject_id");

-- CreateIndex
CREATE INDEX "policy_exceptions_org_id_subject_id_idx" ON "policy_exceptions"("org_id", "subject_id");

-- CreateIndex
CREATE INDEX "scim_users_org_id_subject_id_idx" ON "scim_users"("org_id", "subject_id");

-- CreateIndex
CREATE INDEX "scim_users_org_id_connector_id_external_id_idx" ON "scim_users"("org_id", "connector_id", "external_id");

-- CreateIndex
CREATE INDEX "scim_removals_org_id_subject_id_idx" ON "scim_removals"("org_id", "subject_id");

-- CreateIndex
CREATE INDEX "scim_pending_members_org_id_connector_id_value_idx" ON "scim_pending_members"("org_id", "connector_id", "value");

CREATE UNIQUE INDEX "achievement_versions_org_id_achievement_id_version_key" ON "achievement_versions"("org_id", "achievement_id", "version");

-- CreateIndex
CREATE INDEX "achievement_images_org_id_sha256_idx" ON "achievement_images"("org_id", "sha256");

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
CREATE INDEX "credentials_org_id_updated_at_id_idx" ON "credentials"("org_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "claim_links_code_key" ON "claim_links"("code");

-- CreateIndex
CREATE INDEX "claim_links_org_id_template_id_idx" ON "claim_links"("org_id", "template_id");

-- CreateIndex
CREATE INDEX "claims_org_id_state_id_idx" ON "claims"("org_id", "state", "id");

-- CreateIndex
CREATE INDEX "claims_org_id_claim_link_id_id_idx" ON "claims"("org_id", "claim_link_id", "id");

-- CreateIndex
CREATE INDEX "claims_org_id_email_idx" ON "claims"("org_id", "email");

-- CreateIndex
CREATE INDEX "claims_org_id_subject_id_idx" ON "claims"("org_id", "subject_id");

-- CreateIndex
CREATE INDEX "claims_org_id_credential_id_idx" ON "claims"("org_id", "credential_id");

-- CreateIndex
CREATE UNIQUE INDEX "claims_org_id_claim_link_id_email_key" ON "claims"("org_id", "claim_link_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "address_proofs_token_hash_key" ON "address_proofs"("token_hash");

-- CreateIndex
CREATE INDEX "address_proofs_email_idx" ON "address_proofs"("email");

-- CreateIndex
CREATE INDEX "address_proofs_expires_at_idx" ON "address_proofs"("expires_at");

-- CreateIndex
CREATE INDEX "address_proofs_org_id_claim_link_id_idx" ON "address_proofs"("org_id", "claim_link_id");

-- CreateIndex
CREATE INDEX "holder_sessions_email_idx" ON "holder_sessions"("email");

-- CreateIndex
CREATE INDEX "holder_sessions_expires_at_idx" ON "holder_sessions"("expires_at");

-- CreateIndex
CREATE INDEX "holder_addresses_email_idx" ON "holder_addresses"("email");

-- CreateIndex
CREATE INDEX "name_requests_org_id_state_id_idx" ON "name_requests"("org_id", "state", "id");

-- CreateIndex
CREATE INDEX "name_requests_org_id_subject_id_idx" ON "name_requests"("org_id", "subject_id");

-- CreateIndex
CREATE UNIQUE INDEX "name_confirmations_token_key" ON "name_confirmations"("token");

-- CreateIndex
CREATE INDEX "name_confirmations_org_id_state_id_idx" ON "name_confirmations"("org_id", "state", "id");

-- CreateIndex
CREATE INDEX "name_confirmations_org_id_template_id_state_id_idx" ON "name_confirmations"("org_id", "template_id", "state", "id");

-- CreateIndex
CREATE INDEX "name_confirmations_org_id_subject_id_state_template_id_id_idx" ON "name_confirmations"("org_id", "subject_id", "state", "template_id", "id");

-- CreateIndex
CREATE INDEX "credential_channels_org_id_credential_id_id_idx" ON "credential_channels"("org_id", "credential_id", "id");

-- CreateIndex
CREATE INDEX "messages_org_id_state_id_idx" ON "messages"("org_id", "state", "id");

-- CreateIndex
CREATE INDEX "messages_org_id_credential_id_id_idx" ON "messages"("org_id", "credential_id", "id");

-- CreateIndex
CREATE INDEX "messages_org_id_subject_id_id_idx" ON "messages"("org_id", "subject_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "apple_passes_serial_key" ON "apple_passes"("serial");

-- CreateIndex
CREATE INDEX "apple_passes_revision_idx" ON "apple_passes"("revision");

-- CreateIndex
CREATE INDEX "apple_devices_device_id_pass_type_id_idx" ON "apple_devices"("device_id", "pass_type_id");

-- CreateIndex
CREATE UNIQUE INDEX "google_passes_object_id_key" ON "google_passes"("object_id");

-- CreateIndex
CREATE INDEX "wallet_changes_id_idx" ON "wallet_changes"("id");

-- CreateIndex
CREATE INDEX "credential_history_org_id_credential_id_id_idx" ON "credential_history"("org_id", "credential_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "status_entries_org_id_index_key" ON "status_entries"("org_id", "index");

-- CreateIndex
CREATE INDEX "credential_action_counts_period_idx" ON "credential_action_counts"("period");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_event_type_id_idx" ON "webhook_deliveries"("endpoint_id", "event_type", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");

-- CreateIndex
CREATE INDEX "webhook_attempts_delivery_id_id_idx" ON "webhook_attempts"("delivery_id", "id");

-- CreateIndex
CREATE INDEX "notifications_org_id_user_id_idx" ON "notifications"("org_id", "user_id");

-- CreateIndex
CREATE INDEX "notifications_created_at_idx" ON "notifications"("created_at");

-- CreateIndex
CREATE INDEX "engine_event_ids_seen_at_idx" ON "engine_event_ids"("seen_at");

-- AddForeignKey
ALTER TABLE "authenticator_apps" ADD CONSTRAINT "authenticator_apps_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "challenges" ADD CONSTRAINT "challenges_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sso_identities" ADD CONSTRAINT "sso_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_client_secrets" ADD CONSTRAINT "oauth_client_secrets_org_id_client_ref_fkey" FOREIGN KEY ("org_id", "client_ref") REFERENCES "oauth_clients"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issuer_keys" ADD CONSTRAINT "issuer_keys_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issuer_domains" ADD CONSTRAINT "issuer_domains_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subjects" ADD CONSTRAINT "subjects_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "erasure_keys" ADD CONSTRAINT "erasure_keys_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subject_photos" ADD CONSTRAINT "subject_photos_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subject_photos" ADD CONSTRAINT "subject_photos_org_id_sha256_fkey" FOREIGN KEY ("org_id", "sha256") REFERENCES "blobs"("org_id", "sha256") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_org_id_group_id_fkey" FOREIGN KEY ("org_id", "group_id") REFERENCES "groups"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "achievements" ADD CONSTRAINT "achievements_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "achievement_versions" ADD CONSTRAINT "achievement_versions_org_id_achievement_id_fkey" FOREIGN KEY ("org_id", "achievement_id") REFERENCES "achievements"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "achievement_images" ADD CONSTRAINT "achievement_images_org_id_version_id_fkey" FOREIGN KEY ("org_id", "version_id") REFERENCES "achievement_versions"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "achievement_images" ADD CONSTRAINT "achievement_images_org_id_sha256_fkey" FOREIGN KEY ("org_id", "sha256") REFERENCES "blobs"("org_id", "sha256") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "templates" ADD CONSTRAINT "templates_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_org_id_template_id_fkey" FOREIGN KEY ("org_id", "template_id") REFERENCES "templates"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_org_id_achievement_id_fkey" FOREIGN KEY ("org_id", "achievement_id") REFERENCES "achievements"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_org_id_template_id_fkey" FOREIGN KEY ("org_id", "template_id") REFERENCES "templates"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_org_id_template_version_id_fkey" FOREIGN KEY ("org_id", "template_version_id") REFERENCES "template_versions"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_org_id_achievement_version_id_fkey" FOREIGN KEY ("org_id", "achievement_version_id") REFERENCES "achievement_versions"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "badge_documents" ADD CONSTRAINT "badge_documents_org_id_credential_id_fkey" FOREIGN KEY ("org_id", "credential_id") REFERENCES "credentials"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "claim_links" ADD CONSTRAINT "claim_links_org_id_template_id_fkey" FOREIGN KEY ("org_id", "template_id") REFERENCES "templates"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "claims" ADD CONSTRAINT "claims_org_id_claim_link_id_fkey" FOREIGN KEY ("org_id", "claim_link_id") REFERENCES "claim_links"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "claims" ADD CONSTRAINT "claims_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "claims" ADD CONSTRAINT "claims_org_id_credential_id_fkey" FOREIGN KEY ("org_id", "credential_id") REFERENCES "credentials"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "address_proofs" ADD CONSTRAINT "address_proofs_org_id_claim_link_id_fkey" FOREIGN KEY ("org_id", "claim_link_id") REFERENCES "claim_links"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holder_addresses" ADD CONSTRAINT "holder_addresses_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "name_requests" ADD CONSTRAINT "name_requests_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "name_confirmations" ADD CONSTRAINT "name_confirmations_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "name_confirmations" ADD CONSTRAINT "name_confirmations_org_id_template_id_fkey" FOREIGN KEY ("org_id", "template_id") REFERENCES "templates"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential_channels" ADD CONSTRAINT "credential_channels_org_id_credential_id_fkey" FOREIGN KEY ("org_id", "credential_id") REFERENCES "credentials"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message_sweeps" ADD CONSTRAINT "message_sweeps_org_id_template_id_fkey" FOREIGN KEY ("org_id", "template_id") REFERENCES "templates"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "apple_wallet_settings" ADD CONSTRAINT "apple_wallet_settings_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "apple_passes" ADD CONSTRAINT "apple_passes_org_id_credential_id_fkey" FOREIGN KEY ("org_id", "credential_id") REFERENCES "credentials"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "apple_devices" ADD CONSTRAINT "apple_devices_org_id_credential_id_fkey" FOREIGN KEY ("org_id", "credential_id") REFERENCES "apple_passes"("org_id", "credential_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "google_wallet_settings" ADD CONSTRAINT "google_wallet_settings_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "google_passes" ADD CONSTRAINT "google_passes_org_id_credential_id_fkey" FOREIGN KEY ("org_id", "credential_id") REFERENCES "credentials"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential_history" ADD CONSTRAINT "credential_history_org_id_credential_id_fkey" FOREIGN KEY ("org_id", "credential_id") REFERENCES "credentials"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "status_entries" ADD CONSTRAINT "status_entries_org_id_credential_id_fkey" FOREIGN KEY ("org_id", "credential_id") REFERENCES "credentials"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connectors" ADD CONSTRAINT "connectors_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_runs" ADD CONSTRAINT "connector_runs_org_id_connector_id_fkey" FOREIGN KEY ("org_id", "connector_id") REFERENCES "connectors"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_runs" ADD CONSTRAINT "connector_runs_org_id_sha256_fkey" FOREIGN KEY ("org_id", "sha256") REFERENCES "blobs"("org_id", "sha256") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_row_errors" ADD CONSTRAINT "connector_row_errors_org_id_run_id_fkey" FOREIGN KEY ("org_id", "run_id") REFERENCES "connector_runs"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_second_halves" ADD CONSTRAINT "connector_second_halves_org_id_run_id_fkey" FOREIGN KEY ("org_id", "run_id") REFERENCES "connector_runs"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_rejected_rows" ADD CONSTRAINT "connector_rejected_rows_org_id_run_id_fkey" FOREIGN KEY ("org_id", "run_id") REFERENCES "connector_runs"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_groups" ADD CONSTRAINT "connector_groups_org_id_connector_id_fkey" FOREIGN KEY ("org_id", "connector_id") REFERENCES "connectors"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_groups" ADD CONSTRAINT "connector_groups_org_id_group_id_fkey" FOREIGN KEY ("org_id", "group_id") REFERENCES "groups"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_memberships" ADD CONSTRAINT "connector_memberships_org_id_group_id_subject_id_fkey" FOREIGN KEY ("org_id", "group_id", "subject_id") REFERENCES "group_members"("org_id", "group_id", "subject_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_member_changes" ADD CONSTRAINT "connector_member_changes_org_id_run_id_fkey" FOREIGN KEY ("org_id", "run_id") REFERENCES "connector_runs"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_removals" ADD CONSTRAINT "connector_removals_org_id_run_id_fkey" FOREIGN KEY ("org_id", "run_id") REFERENCES "connector_runs"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_removals" ADD CONSTRAINT "connector_removals_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policies" ADD CONSTRAINT "policies_org_id_template_id_fkey" FOREIGN KEY ("org_id", "template_id") REFERENCES "templates"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_runs" ADD CONSTRAINT "policy_runs_org_id_policy_id_fkey" FOREIGN KEY ("org_id", "policy_id") REFERENCES "policies"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_removals" ADD CONSTRAINT "policy_removals_org_id_run_id_fkey" FOREIGN KEY ("org_id", "run_id") REFERENCES "policy_runs"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_lapses" ADD CONSTRAINT "policy_lapses_org_id_policy_id_fkey" FOREIGN KEY ("org_id", "policy_id") REFERENCES "policies"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_lapses" ADD CONSTRAINT "policy_lapses_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_exceptions" ADD CONSTRAINT "policy_exceptions_org_id_policy_id_fkey" FOREIGN KEY ("org_id", "policy_id") REFERENCES "policies"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_exceptions" ADD CONSTRAINT "policy_exceptions_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_org_id_connector_id_fkey" FOREIGN KEY ("org_id", "connector_id") REFERENCES "connectors"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_removals" ADD CONSTRAINT "scim_removals_org_id_connector_id_fkey" FOREIGN KEY ("org_id", "connector_id") REFERENCES "connectors"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_removals" ADD CONSTRAINT "scim_removals_org_id_subject_id_fkey" FOREIGN KEY ("org_id", "subject_id") REFERENCES "subjects"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_groups" ADD CONSTRAINT "scim_groups_org_id_connector_id_fkey" FOREIGN KEY ("org_id", "connector_id") REFERENCES "connectors"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_groups" ADD CONSTRAINT "scim_groups_org_id_group_id_fkey" FOREIGN KEY ("org_id", "group_id") REFERENCES "groups"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_pending_members" ADD CONSTRAINT "scim_pending_members_org_id_group_id_fkey" FOREIGN KEY ("org_id", "group_id") REFERENCES "scim_groups"("org_id", "group_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_requests" ADD CONSTRAINT "scim_requests_org_id_connector_id_fkey" FOREIGN KEY ("org_id", "connector_id") REFERENCES "connectors"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "photo_imports" ADD CONSTRAINT "photo_imports_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "photo_imports" ADD CONSTRAINT "photo_imports_org_id_sha256_fkey" FOREIGN KEY ("org_id", "sha256") REFERENCES "blobs"("org_id", "sha256") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "photo_rejections" ADD CONSTRAINT "photo_rejections_org_id_import_id_fkey" FOREIGN KEY ("org_id", "import_id") REFERENCES "photo_imports"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bulk_rows" ADD CONSTRAINT "bulk_rows_org_id_job_id_fkey" FOREIGN KEY ("org_id", "job_id") REFERENCES "bulk_jobs"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organisations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_org_id_user_id_fkey" FOREIGN KEY ("org_id", "user_id") REFERENCES "memberships"("org_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "engine_steps" ADD CONSTRAINT "engine_steps_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "engine_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- ================================================================ 2. What schema.prisma cannot state

-- ---------------------------------------------------------------- 2.1 Extensions

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS btree_gin;


-- ---------------------------------------------------------------- 2.2 Functions

-- Removes case and accents for search. unaccent() is only STABLE, because its dictionary can be changed. This function names the
-- dictionary and nobody changes that one, so it is IMMUTABLE and can be indexed.
CREATE FUNCTION search_fold(value TEXT) RETURNS TEXT
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT lower(public.unaccent('public.unaccent'::regdictionary, value)) $$;

-- The text that a search of subjects looks in.
CREATE FUNCTION subject_search(display_name TEXT, email TEXT, external_id TEXT) RETURNS TEXT
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT public.search_fold(display_name || E'\n' || coalesce(email, '') || E'\n' || external_id) $$;

-- True if one of the patterns is the type, or a family that the type belongs to: `credential.*` matches `credential.channel.installed`.
CREATE FUNCTION event_matches(type TEXT, patterns TEXT[]) RETURNS BOOLEAN
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT bool_or(CASE WHEN pattern LIKE '%.*' THEN starts_with(type, left(pattern, -1)) ELSE type = pattern END)
        FROM unnest(patterns) AS pattern $$;

-- JSON merge (contract section 4): objects are merged deeply, arrays and scalars are replaced, null removes the key. One pass over what was
-- sent: key by key, each step would copy the whole object, and 64 KiB of short keys took more than a second.
CREATE FUNCTION merge_attributes(stored JSONB, sent JSONB) RETURNS JSONB
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
  AS $$
  BEGIN
    -- Most attributes are plain values: without null and objects, a merge is the concatenation of two objects, in a fifth of the time.
    IF NOT jsonb_path_exists(sent, '$.* ? (@ == null || @.type() == "object")') THEN
      RETURN stored || sent;
    END IF;
    RETURN (
      SELECT (stored - coalesce(array_agg(key) FILTER (WHERE value = 'null'), '{}'))
        || coalesce(jsonb_object_agg(key, CASE
             WHEN jsonb_typeof(value) <> 'object' THEN value
             ELSE merge_attributes(CASE WHEN jsonb_typeof(stored -> key) = 'object' THEN stored -> key ELSE '{}' END, value)
           END) FILTER (WHERE value <> 'null'), '{}')
      FROM jsonb_each(sent)
    );
  END
  $$;

-- Whom a row of a bulk job names: a credential by id, a subject by id, or a subject by its external id in the form of
-- server/subjects/external-id.ts (NFC, without white space around it). Cut off at 256 characters, since an invalid row can hold any length.
-- Null once the row is done and its input is cleared.
CREATE FUNCTION bulk_row_names(input JSONB) RETURNS TEXT
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN left(coalesce(
    input ->> 'id',
    input #>> '{subject,id}',
    btrim(normalize(input #>> '{subject,externalId}', NFC), E' \t\n\x0b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')
  ), 256);

-- Stamps created_at and updated_at. A poller takes the largest updatedAt it saw as its next updatedAfter. That is safe only if no row
-- appears later with an earlier time. So the database stamps changes itself, after the transaction has taken a shared advisory lock of the
-- organisation, by which pollers see that it runs (docs/decisions/179). Nobody takes the lock exclusively, so nobody waits for it.
-- Times more than an hour from the clock are kept: imports, the demo and tests with a clock of their own write them.
CREATE FUNCTION stamp_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stamp timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(1937006963, hashtext(NEW.org_id::text));
  stamp := date_trunc('milliseconds', clock_timestamp());
  IF NEW.updated_at BETWEEN stamp - interval '1 hour' AND stamp + interval '1 hour' THEN
    IF TG_OP = 'INSERT' AND NEW.created_at BETWEEN stamp - interval '1 hour' AND stamp + interval '1 hour' THEN
      NEW.created_at := stamp;
    END IF;
    NEW.updated_at := stamp;
  END IF;
  RETURN NEW;
END
$$;

-- Notes when a name changed, whoever writes it. A credential that ended before does not show the new one (docs/decisions/282). It runs after
-- stamp_change, since triggers run in the order of their names, and so takes the stamped time.
CREATE FUNCTION stamp_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_at := NEW.updated_at;
  RETURN NEW;
END
$$;

-- Keeps blobs.idle_since, for every table that refers to blobs: a blob is idle from the moment that a reference to it goes, whichever way it
-- goes (an update, a deletion of the subject, an erasure). The sweep asks whether another row still refers to it.
CREATE FUNCTION note_blob_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE blobs SET idle_since = now() WHERE org_id = OLD.org_id AND sha256 = OLD.sha256;
    RETURN OLD;
  END IF;
  UPDATE blobs SET idle_since = NULL WHERE org_id = NEW.org_id AND sha256 = NEW.sha256 AND idle_since IS NOT NULL;
  RETURN NEW;
END $$;

-- The same where a row gives its reference up and stays.
CREATE FUNCTION note_blob_dropped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE blobs SET idle_since = now() WHERE org_id = OLD.org_id AND sha256 = OLD.sha256;
  RETURN NEW;
END $$;

-- Notes how many credentials of each template entered and left each state, in the transaction that changed them: so server/credentials/counts.ts
-- need not count them. Rows are only added here, so that no two transactions wait for one counter; server/credentials/fold-counts.ts adds them up.
CREATE FUNCTION count_credentials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO credential_count_deltas (org_id, template_id, state, delta)
    SELECT org_id, template_id, state, count(*) FROM entered GROUP BY org_id, template_id, state;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO credential_count_deltas (org_id, template_id, state, delta)
    SELECT org_id, template_id, state, -count(*) FROM gone GROUP BY org_id, template_id, state;
  ELSE
    INSERT INTO credential_count_deltas (org_id, template_id, state, delta)
    SELECT org_id, template_id, state, sum(n)
    FROM (SELECT org_id, template_id, state, 1 AS n FROM entered UNION ALL SELECT org_id, template_id, state, -1 FROM gone) AS moved
    GROUP BY org_id, template_id, state HAVING sum(n) <> 0;
  END IF;
  RETURN NULL;
END $$;

-- Notes which listed credentials a statement revoked, suspended or resumed, listed while they were suspended, or had expire earlier than a
-- document says (decision 527), so that the signed status lists show it when they are next read (decision 402). Rows are only added here, so
-- that no two transactions wait for one list. Grouping instead of a join of the two tables, because PostgreSQL plans a trigger's statement
-- once, for as few rows as its first run has.
CREATE FUNCTION note_status_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM entered WHERE listed) THEN RETURN NULL; END IF;
  INSERT INTO status_changes (org_id, purpose, credential_ids)
  SELECT org_id, purpose, array_agg(id) FROM (
    SELECT org_id, id, purpose FROM (SELECT * FROM entered UNION ALL SELECT * FROM gone) AS version
    CROSS JOIN LATERAL (VALUES ('revocation', listed AND (state = 'revoked' OR state = 'expired' AND shortened)), ('suspension', listed AND state = 'suspended')) AS list (purpose, is_set)
    GROUP BY org_id, id, purpose
    HAVING bool_or(is_set) AND NOT bool_and(is_set)
  ) AS changed GROUP BY org_id, purpose;
  RETURN NULL;
END $$;

-- The same for what happened to credentials, by quarters of an hour (server/credentials/daily.ts).
CREATE FUNCTION count_credential_actions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO credential_action_deltas (org_id, period, action, delta)
  SELECT org_id, date_bin('15 minutes', created_at, 'epoch'), action, count(*) FROM entered
  WHERE action IN ('issued', 'suspended', 'revoked') GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;

-- How many members each group won and lost, likewise: server/groups/view.ts reads them, server/groups/fold-counts.ts adds them up.
CREATE FUNCTION count_group_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO group_count_deltas (org_id, group_id, delta) SELECT org_id, group_id, count(*) FROM entered GROUP BY org_id, group_id;
  ELSE
    INSERT INTO group_count_deltas (org_id, group_id, delta) SELECT org_id, group_id, -count(*) FROM gone GROUP BY org_id, group_id;
  END IF;
  RETURN NULL;
END $$;

-- Deletes the sources of a subject with the subject. They have no foreign key: every subject has one, and PostgreSQL would check it for each
-- person of an import (docs/decisions/676).
CREATE FUNCTION delete_subject_sources() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM subject_sources WHERE org_id = OLD.org_id AND subject_id = OLD.id;
  RETURN NULL;
END $$;

-- Deletes the largest tables of a run with the run. They have no foreign key, which PostgreSQL would check row by row: that took more than
-- half of the time of writing them (docs/decisions/675).
CREATE FUNCTION delete_run_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM connector_rows WHERE org_id = OLD.org_id AND run_id = OLD.id;
  DELETE FROM connector_changes WHERE org_id = OLD.org_id AND run_id = OLD.id;
  RETURN NULL;
END $$;

-- Requeues the runs of processes that went away, then claims what is due, oldest first within each function: at most `free` runs of a
-- function, and never more than `limit` running with one concurrency key, over all processes.
-- `rooms`: [{"id": function, "free": int, "limit": int | null}]. `known`: the caller's functions. `driven`: null, or the time of a test's clock.
-- Returns {"runs": [...], "nextInMs": until the next run falls due | null}.
-- It is a function, because counting the running and claiming the due must see the same state: one claim at a time over all processes, and
-- each statement after the lock with a snapshot of its own. The number of the lock is arbitrary.
-- The settings keep a plan that was made for an empty table from being used on a full one.
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


-- ---------------------------------------------------------------- 2.3 Lists that are never null

ALTER TABLE "template_versions" ALTER COLUMN "bindings" SET DEFAULT '{}', ALTER COLUMN "bindings" SET NOT NULL;
ALTER TABLE "groups" ALTER COLUMN "rule_group_ids" SET DEFAULT '{}', ALTER COLUMN "rule_group_ids" SET NOT NULL;
ALTER TABLE "connector_runs" ALTER COLUMN "scopes" SET DEFAULT '{}', ALTER COLUMN "scopes" SET NOT NULL;
ALTER TABLE "policies" ALTER COLUMN "rule_group_ids" SET DEFAULT '{}', ALTER COLUMN "rule_group_ids" SET NOT NULL;
ALTER TABLE "policy_runs" ALTER COLUMN "scopes" SET DEFAULT '{}', ALTER COLUMN "scopes" SET NOT NULL;
ALTER TABLE "bulk_jobs" ALTER COLUMN "scopes" SET DEFAULT '{}', ALTER COLUMN "scopes" SET NOT NULL;
ALTER TABLE "photo_imports" ALTER COLUMN "scopes" SET DEFAULT '{}', ALTER COLUMN "scopes" SET NOT NULL;
ALTER TABLE "webhook_endpoints" ALTER COLUMN "header_names" SET DEFAULT '{}', ALTER COLUMN "header_names" SET NOT NULL;


-- ---------------------------------------------------------------- 2.4 Generated columns

-- Folded once when a row is written. Reading it costs a twentieth of folding three columns anew.
ALTER TABLE "subjects" ADD COLUMN "search" TEXT NOT NULL GENERATED ALWAYS AS (subject_search("display_name", "email", "external_id")) STORED;

-- When the state that is written stops being the state that readers see: a pending credential starts, a live one expires. One index on it
-- serves the sweep and the lists. With expires_at and state apart, PostgreSQL takes the two for independent, expects that much of what
-- has expired is still live, and reads a million rows to find the few.
ALTER TABLE "credentials" ADD COLUMN "due_at" TIMESTAMPTZ(3) GENERATED ALWAYS AS (
  CASE WHEN "state" = 'pending' THEN least("valid_from", "expires_at") WHEN "state" IN ('active', 'suspended') THEN "expires_at" END
) STORED;


-- ---------------------------------------------------------------- 2.5 Checks

ALTER TABLE "memberships" ADD CONSTRAINT "memberships_role_check" CHECK ("role" IN ('owner', 'admin', 'issuer', 'viewer'));
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_purpose_check" CHECK ("purpose" IN ('setup', 'invite', 'password_reset', 'email_verification'));
ALTER TABLE "challenges" ADD CONSTRAINT "challenges_purpose_check" CHECK ("purpose" IN ('sign_in', 'passkey_registration', 'sso'));
ALTER TABLE "account_mails" ADD CONSTRAINT "account_mails_kind_check" CHECK ("kind" IN ('invitation', 'password_reset', 'email_verification', 'password_changed', 'sign_in_changed', 'claim_decided', 'claim_code', 'home_link', 'home_address'));
ALTER TABLE "account_mails" ADD CONSTRAINT "account_mails_state_check" CHECK ("state" IN ('pending', 'sent', 'failed'));
ALTER TABLE "claim_links" ADD CONSTRAINT "claim_links_claimed_check" CHECK ("claimed" >= 0);
ALTER TABLE "claims" ADD CONSTRAINT "claims_state_check" CHECK ("state" IN ('waiting', 'confirming', 'issued', 'rejected'));
ALTER TABLE "address_proofs" ADD CONSTRAINT "address_proofs_purpose_check" CHECK ("purpose" IN ('claim', 'home', 'home_address'));
ALTER TABLE "name_requests" ADD CONSTRAINT "name_requests_state_check" CHECK ("state" IN ('waiting', 'approved', 'rejected'));
ALTER TABLE "name_confirmations" ADD CONSTRAINT "name_confirmations_state_check" CHECK ("state" IN ('waiting', 'confirmed', 'cancelled'));
ALTER TABLE "name_confirmations" ADD CONSTRAINT "name_confirmations_credential_check" CHECK (("state" = 'confirmed') = ("credential_id" IS NOT NULL));
ALTER TABLE "credential_channels" ADD CONSTRAINT "credential_channels_type_check" CHECK ("type" IN ('email', 'apple_wallet', 'google_wallet'));
ALTER TABLE "credential_channels" ADD CONSTRAINT "credential_channels_status_check" CHECK ("status" IN ('pending', 'provisioned', 'installed', 'removed', 'failed'));
ALTER TABLE "messages" ADD CONSTRAINT "messages_kind_check" CHECK ("kind" IN ('sent', 'confirm_name', 'issued', 'suspended', 'resumed', 'revoked', 'expiring', 'expiry_changed'));
ALTER TABLE "messages" ADD CONSTRAINT "messages_about_check" CHECK (("kind" = 'confirm_name') = ("confirmation_id" IS NOT NULL) AND ("kind" = 'confirm_name') = ("credential_id" IS NULL));
ALTER TABLE "messages" ADD CONSTRAINT "messages_state_check" CHECK ("state" IN ('pending', 'sent', 'bounced', 'failed', 'cancelled'));
ALTER TABLE "apple_devices" ADD CONSTRAINT "apple_devices_state_check" CHECK ("state" IN ('idle', 'pending'));
ALTER TABLE "google_passes" ADD CONSTRAINT "google_passes_state_check" CHECK ("state" IN ('idle', 'pending'));
ALTER TABLE "master_secret" ADD CONSTRAINT "master_secret_one_row" CHECK ("id" = 1);
ALTER TABLE "subjects" ADD CONSTRAINT "subjects_status_check" CHECK ("status" IN ('active', 'inactive'));
ALTER TABLE "subjects" ADD CONSTRAINT "subjects_photo_status_check" CHECK ("photo_status" IN ('pending', 'approved', 'rejected'));
ALTER TABLE "subjects" ADD CONSTRAINT "subjects_photo_check" CHECK (("photo_at" IS NULL) = ("photo_status" IS NULL) AND ("photo_at" IS NULL) = ("photo_by" IS NULL));
ALTER TABLE "groups" ADD CONSTRAINT "groups_kind_check" CHECK ("kind" IN ('static', 'rule'));
ALTER TABLE "groups" ADD CONSTRAINT "groups_evaluation_problem_check" CHECK ("evaluation_problem" IN ('too_costly', 'failed'));
ALTER TABLE "groups" ADD CONSTRAINT "groups_rule_check" CHECK (("kind" = 'rule') = ("rule" IS NOT NULL));
ALTER TABLE "subject_sources" ADD CONSTRAINT "subject_sources_type_check" CHECK ("type" IN ('api', 'console', 'connector', 'scim'));
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_sha256_check" CHECK ("sha256" ~ '^[0-9a-f]{64}$');
ALTER TABLE "achievements" ADD CONSTRAINT "achievements_status_check" CHECK ("status" IN ('draft', 'published', 'archived'));
ALTER TABLE "achievement_versions" ADD CONSTRAINT "achievement_versions_status_check" CHECK ("status" IN ('draft', 'published', 'archived'));
ALTER TABLE "templates" ADD CONSTRAINT "templates_kind_check" CHECK ("kind" IN ('membership', 'employee_id', 'student_id', 'academic'));
ALTER TABLE "templates" ADD CONSTRAINT "templates_status_check" CHECK ("status" IN ('draft', 'published', 'archived'));
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_status_check" CHECK ("status" IN ('draft', 'published', 'archived'));
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_photo_check" CHECK ("photo" IN ('any', 'approved'));
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_state_check" CHECK ("state" IN ('pending', 'active', 'suspended', 'expired', 'revoked'));
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_check" CHECK (("state" = 'revoked') = ("revoked_at" IS NOT NULL));
ALTER TABLE "issuer_keys" ADD CONSTRAINT "issuer_keys_private_key_check" CHECK (("private_key" IS NULL) = ("retired_at" IS NOT NULL));
ALTER TABLE "issuer_keys" ADD CONSTRAINT "issuer_keys_revoked_at_check" CHECK ("revoked_at" IS NULL OR "retired_at" IS NOT NULL);
ALTER TABLE "organisations" ADD CONSTRAINT "organisations_recipient_identity_check" CHECK ("recipient_identity" IN ('hashed', 'name', 'email'));
ALTER TABLE "status_lists" ADD CONSTRAINT "status_lists_purpose_check" CHECK ("purpose" IN ('revocation', 'suspension'));
ALTER TABLE "connectors" ADD CONSTRAINT "connectors_type_check" CHECK ("type" IN ('csv', 'http', 'scim', 'sftp'));
ALTER TABLE "connectors" ADD CONSTRAINT "connectors_mode_check" CHECK ("mode" IN ('full', 'delta'));
ALTER TABLE "connectors" ADD CONSTRAINT "connectors_missing_check" CHECK ("missing" IN ('keep', 'deactivate'));
ALTER TABLE "connectors" ADD CONSTRAINT "connectors_adopt_check" CHECK ("adopt" IN ('externalId', 'email', 'never'));
ALTER TABLE "connectors" ADD CONSTRAINT "connectors_status_check" CHECK ("status" IN ('active', 'paused'));
ALTER TABLE "connector_runs" ADD CONSTRAINT "connector_runs_status_check" CHECK ("status" IN ('queued', 'running', 'succeeded', 'failed', 'held', 'cancelled'));
ALTER TABLE "connector_runs" ADD CONSTRAINT "connector_runs_phase_check" CHECK ("phase" IN ('fetching', 'unpacking', 'staging', 'planning', 'applying', 'grouping', 'removing', 'undoing', 'finishing', 'clearing'));
ALTER TABLE "connector_removals" ADD CONSTRAINT "connector_removals_cause_check" CHECK ("cause" IN ('status', 'missing'));
ALTER TABLE "connector_member_changes" ADD CONSTRAINT "connector_member_changes_kind_check" CHECK ("kind" IN ('add', 'remove'));
ALTER TABLE "connector_member_changes" ADD CONSTRAINT "connector_member_changes_cause_check" CHECK ("cause" IN ('row', 'missing'));
ALTER TABLE "connector_member_changes" ADD CONSTRAINT "connector_member_changes_state_check" CHECK ("state" IN ('planned', 'staged', 'applied', 'dropped'));
ALTER TABLE "connector_removals" ADD CONSTRAINT "connector_removals_state_check" CHECK ("state" IN ('staged', 'applied', 'dropped'));
ALTER TABLE "policies" ADD CONSTRAINT "policies_meant_check" CHECK (("group_id" IS NULL) <> ("rule" IS NULL));
ALTER TABLE "policies" ADD CONSTRAINT "policies_on_exit_check" CHECK ("on_exit" IN ('suspend', 'revoke', 'none'));
ALTER TABLE "policies" ADD CONSTRAINT "policies_reentry_check" CHECK ("reentry" IN ('resume', 'reissue'));
ALTER TABLE "policies" ADD CONSTRAINT "policies_status_check" CHECK ("status" IN ('active', 'paused', 'halted'));
ALTER TABLE "policy_runs" ADD CONSTRAINT "policy_runs_status_check" CHECK ("status" IN ('running', 'waiting', 'completed', 'halted', 'failed', 'discarded'));
ALTER TABLE "policy_runs" ADD CONSTRAINT "policy_runs_phase_check" CHECK ("phase" IN ('planning', 'removing', 'granting', 'over'));
ALTER TABLE "policy_removals" ADD CONSTRAINT "policy_removals_action_check" CHECK ("action" IN ('suspend', 'revoke'));
ALTER TABLE "policy_removals" ADD CONSTRAINT "policy_removals_state_check" CHECK ("state" IN ('staged', 'applied', 'dropped'));
ALTER TABLE "policy_exceptions" ADD CONSTRAINT "policy_exceptions_effect_check" CHECK ("effect" IN ('grant', 'deny'));
ALTER TABLE "scim_removals" ADD CONSTRAINT "scim_removals_cause_check" CHECK ("cause" IN ('status', 'deleted', 'member'));
ALTER TABLE "scim_removals" ADD CONSTRAINT "scim_removals_state_check" CHECK ("state" IN ('staged', 'applied', 'dropped'));
ALTER TABLE "scim_removals" ADD CONSTRAINT "scim_removals_group_check" CHECK (("cause" = 'member') = ("group_id" IS NOT NULL));
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_state_check" CHECK ("state" IN ('queued', 'running', 'completed', 'cancelled', 'stopped'));
ALTER TABLE "photo_imports" ADD CONSTRAINT "photo_imports_status_check" CHECK ("status" IN ('queued', 'running', 'completed', 'cancelled', 'stopped'));
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_status_check" CHECK ("status" IN ('active', 'paused', 'disabled'));
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_rate_limit_check" CHECK ("rate_limit" BETWEEN 1 AND 1000);
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_status_check" CHECK ("status" IN ('pending', 'succeeded', 'failed', 'parked', 'cancelled'));
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_state_check" CHECK ("state" IN ('pending', 'sent', 'failed', 'unsent'));
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_kind_check" CHECK ("kind" IN ('endpoint_failing', 'endpoint_last_warning', 'endpoint_disabled', 'connector_run_held', 'connector_key_changed', 'connector_failed', 'scim_removals_held', 'policy_halted', 'policy_failed'));
ALTER TABLE "engine_runs" ADD CONSTRAINT "engine_runs_state_check" CHECK ("state" IN ('queued', 'running', 'succeeded', 'failed'));
ALTER TABLE "engine_runs" ADD CONSTRAINT "engine_runs_check" CHECK (("state" = 'running') = ("claim_id" IS NOT NULL AND "lease_until" IS NOT NULL));


-- ---------------------------------------------------------------- 2.6 Indexes on part of a table or on expressions

-- `prisma migrate diff` drops an index on an expression, unless the index is partial. `WHERE "org_id" IS NOT NULL` always holds and makes it so.

-- Access
CREATE INDEX "account_mails_due_idx" ON "account_mails" ("next_attempt_at") WHERE "state" = 'pending';
CREATE INDEX "messages_due_idx" ON "messages" ("org_id", "next_attempt_at") WHERE "state" = 'pending';
-- A holder is told once of each expiry.
CREATE UNIQUE INDEX "messages_expiring_key" ON "messages" ("org_id", "credential_id", "about") WHERE "kind" = 'expiring';
-- How many messages an address got lately.
CREATE INDEX "messages_address_idx" ON "messages" ("org_id", lower("address"), "sent_at") WHERE "sent_at" IS NOT NULL;
CREATE INDEX "credential_channels_removed_idx" ON "credential_channels" ("updated_at") WHERE "status" = 'removed';
CREATE INDEX "apple_passes_forget_idx" ON "apple_passes" ("forget_at") WHERE "forget_at" IS NOT NULL;
CREATE INDEX "apple_devices_due_idx" ON "apple_devices" ("next_attempt_at") WHERE "state" = 'pending';
CREATE INDEX "google_passes_forget_idx" ON "google_passes" ("forget_at") WHERE "forget_at" IS NOT NULL;
CREATE INDEX "google_passes_due_idx" ON "google_passes" ("next_attempt_at") WHERE "state" = 'pending';
-- An address has no case, and a credential goes to each once.
CREATE UNIQUE INDEX "credential_channels_address_key" ON "credential_channels" ("org_id", "credential_id", "type", lower("address"));
-- Stored answers without a list of the people they tell of: looked through one by one when a person is erased.
CREATE INDEX "idempotency_records_unread_idx" ON "idempotency_records" ("org_id") WHERE "subject_ids" IS NULL;

-- Events. The template of the credential or version that an event tells of: few events have one.
CREATE INDEX "event_log_template_idx" ON "event_log" ("org_id", "template_id", "sequence") WHERE "template_id" IS NOT NULL;
-- The audit log reads this one (server/access/list-audit.ts): millions of verifications may lie between two commands.
CREATE INDEX "events_commands_idx" ON "events" ("org_id", "id")
  WHERE "type" NOT IN ('credential.verified', 'credential.verify_refused', 'credential.viewed', 'credential.shared');

-- Subjects
CREATE INDEX "subjects_search_idx" ON "subjects" USING gin ("org_id", "search" gin_trgm_ops) WHERE "org_id" IS NOT NULL;
-- Whose an address is: claims and the holder's home (server/claims, server/holders). An address has no case.
CREATE INDEX "subjects_email_idx" ON "subjects" (lower("email"), "org_id") WHERE "email" IS NOT NULL;
-- Subjects with letters that folding does not bring into ASCII. Two characters are too few for trigrams: server/subjects/search.ts.
CREATE INDEX "subjects_beyond_ascii_idx" ON "subjects" ("org_id", "id") WHERE octet_length("search") <> char_length("search");
-- Lists sorted by name (server/subjects/list.ts).
CREATE INDEX "subjects_name_idx" ON "subjects" ("org_id", (search_fold("display_name") COLLATE "C"), "id") WHERE "org_id" IS NOT NULL;
-- The photos to approve (server/subjects/filter.ts): most were decided on.
CREATE INDEX "subjects_photo_pending_idx" ON "subjects" ("org_id", "id") WHERE "photo_status" = 'pending';
-- The few whose id tells another time than created_at (server/core/created-bounds.ts).
CREATE INDEX "subjects_apart_idx" ON "subjects" ("org_id", "id")
  WHERE (uuid_extract_timestamp("id") - "created_at") NOT BETWEEN '-1 minute'::interval AND '1 minute'::interval;

-- Groups. Lists sorted by name, and the rule groups in the order of their turn (server/groups/sweep.ts).
CREATE INDEX "groups_name_idx" ON "groups" ("org_id", (search_fold("name") COLLATE "C"), "id") WHERE "org_id" IS NOT NULL;
CREATE INDEX "groups_turn_idx" ON "groups" ((coalesce("evaluated_at", '-infinity'))) WHERE "kind" = 'rule';
CREATE INDEX "groups_rule_idx" ON "groups" ("org_id", "served_at") WHERE "kind" = 'rule';

-- Holders. A person has one open request for another name.
CREATE UNIQUE INDEX "name_requests_waiting_key" ON "name_requests" ("org_id", "subject_id") WHERE "state" = 'waiting';
CREATE UNIQUE INDEX "name_confirmations_waiting_key" ON "name_confirmations" ("org_id", "subject_id", "template_id") WHERE "exclusive" AND "state" = 'waiting';
CREATE INDEX "name_confirmations_decided_idx" ON "name_confirmations" ("decided_at") WHERE "state" <> 'waiting';
-- For a claim whose holder confirms the name.
CREATE INDEX "claims_confirmation_idx" ON "claims" ("org_id", "confirmation_id") WHERE "confirmation_id" IS NOT NULL;
-- What became of the newest e-mail.
CREATE INDEX "messages_confirmation_idx" ON "messages" ("org_id", "confirmation_id", "id") WHERE "confirmation_id" IS NOT NULL;
-- The queue of a link and its count (server/claims/view.ts): most claims are decided.
CREATE INDEX "claims_waiting_idx" ON "claims" ("org_id", "claim_link_id", "id") WHERE "state" = 'waiting';
CREATE INDEX "claims_rejected_idx" ON "claims" ("decided_at") WHERE "state" = 'rejected';
-- Blobs. For the sweep: most blobs are in use.
CREATE INDEX "blobs_idle" ON "blobs" ("idle_since") WHERE "idle_since" IS NOT NULL;

-- Credentials. A subject has at most one live credential of a template (contract section 7), unless the template may be issued repeatedly.
CREATE UNIQUE INDEX "credentials_one_live_idx" ON "credentials" ("org_id", "subject_id", "template_id")
  WHERE "exclusive" AND "state" IN ('pending', 'active', 'suspended');
CREATE INDEX "credentials_due_idx" ON "credentials" ("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "credentials_shortened_idx" ON "credentials" ("org_id", "expires_at") WHERE "shortened";
-- Sorted lists (server/credentials/list.ts). The expressions are never null, so that a page can begin after any row: a pending credential
-- is placed at its start, one that never expires after all that do.
CREATE INDEX "credentials_issued_idx" ON "credentials" ("org_id", (coalesce("issued_at", "valid_from")), "id") WHERE "org_id" IS NOT NULL;
CREATE INDEX "credentials_expires_idx" ON "credentials" ("org_id", (coalesce("expires_at", 'infinity')), "id") WHERE "org_id" IS NOT NULL;
CREATE INDEX "credentials_apart_idx" ON "credentials" ("org_id", "id")
  WHERE (uuid_extract_timestamp("id") - "created_at") NOT BETWEEN '-1 minute'::interval AND '1 minute'::interval;

-- Issuers. One key of each kind signs, and one is the next.
CREATE UNIQUE INDEX "issuer_keys_live_idx" ON "issuer_keys" ("org_id", "kind", ("activated_at" IS NULL)) WHERE "retired_at" IS NULL;

-- An organisation has one domain at a time, and a domain speaks for one organisation.
CREATE UNIQUE INDEX "issuer_domains_own_idx" ON "issuer_domains" ("org_id") WHERE "retired_at" IS NULL;
CREATE UNIQUE INDEX "issuer_domains_active_idx" ON "issuer_domains" ("domain") WHERE "activated_at" IS NOT NULL AND "retired_at" IS NULL;
CREATE INDEX "issuer_domains_domain_idx" ON "issuer_domains" ("domain") WHERE "org_id" IS NOT NULL;

-- Connectors. Whom a connector provides, by the key under which it knows them.
CREATE UNIQUE INDEX "subject_sources_key_idx" ON "subject_sources" ("org_id", "source_id", "key") WHERE "key" IS NOT NULL;
-- The runs that have staged rows.
CREATE INDEX "connector_runs_staged_idx" ON "connector_runs" ("org_id", "connector_id", "id") WHERE "status" IN ('queued', 'running') OR "phase" = 'clearing';
CREATE INDEX "connector_runs_held_idx" ON "connector_runs" ("org_id", "connector_id") WHERE "status" = 'held';
CREATE INDEX "connector_runs_fetching_idx" ON "connector_runs" ("org_id", "id") WHERE "phase" IN ('fetching', 'unpacking') AND "status" IN ('queued', 'running');
CREATE INDEX "connector_runs_undo_idx" ON "connector_runs" ("undo_until") WHERE "undo_until" IS NOT NULL;
CREATE INDEX "connector_runs_filing_idx" ON "connector_runs" ("org_id", "connector_id", "filing_at") WHERE "filing_at" IS NOT NULL;
CREATE INDEX "connectors_due_idx" ON "connectors" ("next_run_at") WHERE "next_run_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "connector_runs_served_idx" ON "connector_runs" ("org_id", "served_at") WHERE "served_at" IS NOT NULL;
CREATE INDEX "connector_removals_staged_idx" ON "connector_removals" ("org_id", "run_id", "subject_id") WHERE "state" = 'staged';
-- Whom a connector deactivated in the last 24 hours, for its blast radius.
CREATE INDEX "connector_removals_applied_idx" ON "connector_removals" ("org_id", "connector_id", "applied_at") WHERE "applied_at" IS NOT NULL;
CREATE INDEX "connector_member_changes_applied_idx" ON "connector_member_changes" ("org_id", "connector_id", "applied_at") WHERE "counted" AND "applied_at" IS NOT NULL;
CREATE INDEX "connector_member_changes_staged_idx" ON "connector_member_changes" ("org_id", "run_id", "subject_id", "group_id") WHERE "state" = 'staged';
CREATE INDEX "connectors_fall_back_idx" ON "connectors" ("deleted_at") WHERE "fall_back_after" IS NOT NULL;
-- SCIM. Tokens without a connection of their own share one.
CREATE UNIQUE INDEX "connectors_default_idx" ON "connectors" ("org_id") WHERE "is_default" AND "deleted_at" IS NULL;
-- A userName is taken once a connection, and free again when its person was deleted.
CREATE UNIQUE INDEX "scim_users_user_key_idx" ON "scim_users" ("org_id", "connector_id", "user_key") WHERE "hidden_at" IS NULL;
-- Whoever has an address: few people of all organisations, whose organisation is compared then.
CREATE INDEX "scim_users_emails_idx" ON "scim_users" USING gin ("emails") WHERE "hidden_at" IS NULL;
-- Who was deleted and may come back, and who was erased and may not.
CREATE INDEX "scim_users_former_idx" ON "scim_users" ("org_id", "user_key", "connector_id") WHERE "hidden_at" IS NOT NULL;
-- The console's list in the order of the userNames, with those whose deletion waits for approval.
CREATE INDEX "scim_users_sorted_idx" ON "scim_users" ("org_id", "connector_id", "user_key" COLLATE "C", "subject_id") WHERE "org_id" IS NOT NULL;
CREATE INDEX "scim_users_listed_idx" ON "scim_users" ("org_id", "connector_id", "subject_id") WHERE "hidden_at" IS NULL;
-- Each removal waits once.
CREATE UNIQUE INDEX "scim_removals_staged_idx" ON "scim_removals" ("org_id", "connector_id", "subject_id", "group_id") NULLS NOT DISTINCT WHERE "state" = 'staged';
CREATE INDEX "scim_removals_applied_idx" ON "scim_removals" ("org_id", "connector_id", "applied_at") WHERE "applied_at" IS NOT NULL AND NOT "approved";
-- An externalId is one group of a connection, and a name is one where no externalId tells groups apart.
CREATE UNIQUE INDEX "scim_groups_external_id_idx" ON "scim_groups" ("org_id", "connector_id", "external_id") WHERE "hidden_at" IS NULL AND "external_id" IS NOT NULL;
CREATE UNIQUE INDEX "scim_groups_name_idx" ON "scim_groups" ("org_id", "connector_id", "name_key") WHERE "hidden_at" IS NULL AND "external_id" IS NULL;
CREATE INDEX "scim_groups_listed_idx" ON "scim_groups" ("org_id", "connector_id", "name_key", "group_id") WHERE "hidden_at" IS NULL;

-- Policies. Whom each policy has issued what they still hold, and the schedules.
CREATE INDEX "credentials_policy_idx" ON "credentials" ("org_id", "source_id", "subject_id")
  WHERE "source_type" = 'policy' AND "state" IN ('pending', 'active', 'suspended');
CREATE INDEX "policies_due_idx" ON "policies" ("next_run_at") WHERE "next_run_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "policies_template_idx" ON "policies" ("org_id", "template_id") WHERE "deleted_at" IS NULL;
-- At most one run of a policy is under way.
CREATE UNIQUE INDEX "policy_runs_under_way_idx" ON "policy_runs" ("org_id", "policy_id") WHERE "status" IN ('running', 'waiting');
CREATE INDEX "policy_runs_halted_idx" ON "policy_runs" ("org_id", "policy_id") WHERE "status" = 'halted';
CREATE INDEX "policy_runs_failed_idx" ON "policy_runs" ("finished_at") WHERE "status" = 'failed';
CREATE INDEX "policy_runs_served_idx" ON "policy_runs" ("org_id", "served_at") WHERE "served_at" IS NOT NULL;
CREATE INDEX "policy_removals_staged_idx" ON "policy_removals" ("org_id", "run_id", "subject_id") WHERE "state" = 'staged';
-- What a policy ended in the last 24 hours, for its blast radius.
CREATE INDEX "policy_removals_applied_idx" ON "policy_removals" ("org_id", "policy_id", "applied_at") WHERE "applied_at" IS NOT NULL;

-- Bulk jobs
CREATE INDEX "bulk_jobs_due_idx" ON "bulk_jobs" ("created_at") WHERE "state" IN ('queued', 'running');
-- Partial, so that only the primary key fits the foreign key check of bulk_rows. A plan made while the table was small once used this index
-- for that check, and read every job of the organisation for each row.
CREATE INDEX "bulk_jobs_served_idx" ON "bulk_jobs" ("org_id", "served_at") WHERE "served_at" IS NOT NULL;
CREATE INDEX "bulk_rows_failed_idx" ON "bulk_rows" ("org_id", "job_id", "index") WHERE NOT "ok";
CREATE INDEX "bulk_rows_names_idx" ON "bulk_rows" ("org_id", (bulk_row_names("input"))) WHERE bulk_row_names("input") IS NOT NULL;

-- Imports of photos
CREATE INDEX "photo_imports_due_idx" ON "photo_imports" ("created_at") WHERE "status" IN ('queued', 'running');
CREATE INDEX "photo_imports_served_idx" ON "photo_imports" ("org_id", "served_at") WHERE "served_at" IS NOT NULL;
CREATE INDEX "photo_imports_finished_idx" ON "photo_imports" ("finished_at") WHERE "finished_at" IS NOT NULL;
-- For erasure.
CREATE INDEX "photo_rejections_names_idx" ON "photo_rejections" ("org_id", lower("external_id")) WHERE "external_id" IS NOT NULL;

-- Deliveries, in the order of sending. With the id, so that a claim goes on where the one before ended instead of stepping over what that took.
-- claim_id and lease_until are in no index: a claim then moves no row to other pages or indexes (HOT). A delivery whose lease ran out is
-- found by next_attempt_at, like every due one.
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" ("endpoint_id", "next_attempt_at", "id") WHERE "status" = 'pending';
-- The few that did not arrive: what people look for, and what recover gathers.
CREATE INDEX "webhook_deliveries_stuck_idx" ON "webhook_deliveries" ("endpoint_id", "status", "id") WHERE "status" IN ('failed', 'parked', 'cancelled');
CREATE INDEX "webhook_deliveries_stuck_org_idx" ON "webhook_deliveries" ("org_id", "status", "id") WHERE "status" IN ('failed', 'parked', 'cancelled');
CREATE INDEX "webhook_deliveries_apart_idx" ON "webhook_deliveries" ("org_id", "id")
  WHERE (uuid_extract_timestamp("id") - "created_at") NOT BETWEEN '-1 hour'::interval AND '1 hour'::interval;

-- Notifications
CREATE INDEX "notifications_due_idx" ON "notifications" ("next_attempt_at") WHERE "state" = 'pending';

-- The embedded job engine
CREATE INDEX "engine_runs_due_idx" ON "engine_runs" ("function_id", "due_at") WHERE "state" = 'queued';
CREATE INDEX "engine_runs_leased_idx" ON "engine_runs" ("lease_until") WHERE "state" = 'running';
CREATE INDEX "engine_runs_signal_idx" ON "engine_runs" ("function_id", "signal") WHERE "state" = 'queued' AND "signal" IS NOT NULL;
CREATE INDEX "engine_runs_finished_idx" ON "engine_runs" ("state", "finished_at") WHERE "finished_at" IS NOT NULL;


-- ---------------------------------------------------------------- 2.7 Triggers

CREATE TRIGGER stamp_change BEFORE INSERT OR UPDATE OF updated_at ON subjects FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER stamp_name BEFORE UPDATE OF display_name ON subjects FOR EACH ROW
  WHEN (OLD.display_name IS DISTINCT FROM NEW.display_name) EXECUTE FUNCTION stamp_name();
CREATE TRIGGER stamp_change BEFORE INSERT OR UPDATE OF updated_at ON credentials FOR EACH ROW EXECUTE FUNCTION stamp_change();
-- One trigger for each kind of statement: PostgreSQL gives a trigger the changed rows only of the kinds that it is made for.
CREATE TRIGGER count_inserted AFTER INSERT ON credentials REFERENCING NEW TABLE AS entered FOR EACH STATEMENT EXECUTE FUNCTION count_credentials();
CREATE TRIGGER count_updated AFTER UPDATE ON credentials REFERENCING OLD TABLE AS gone NEW TABLE AS entered FOR EACH STATEMENT EXECUTE FUNCTION count_credentials();
CREATE TRIGGER count_deleted AFTER DELETE ON credentials REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_credentials();
CREATE TRIGGER note_status_changes AFTER UPDATE ON credentials REFERENCING OLD TABLE AS gone NEW TABLE AS entered FOR EACH STATEMENT EXECUTE FUNCTION note_status_changes();
CREATE TRIGGER count_inserted AFTER INSERT ON credential_history REFERENCING NEW TABLE AS entered FOR EACH STATEMENT EXECUTE FUNCTION count_credential_actions();
CREATE TRIGGER count_inserted AFTER INSERT ON group_members REFERENCING NEW TABLE AS entered FOR EACH STATEMENT EXECUTE FUNCTION count_group_members();
CREATE TRIGGER count_deleted AFTER DELETE ON group_members REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_group_members();
CREATE TRIGGER delete_sources AFTER DELETE ON subjects FOR EACH ROW EXECUTE FUNCTION delete_subject_sources();
CREATE TRIGGER subject_photos_blobs AFTER INSERT OR DELETE ON subject_photos FOR EACH ROW EXECUTE FUNCTION note_blob_reference();
CREATE TRIGGER achievement_images_blobs AFTER INSERT OR DELETE ON achievement_images FOR EACH ROW EXECUTE FUNCTION note_blob_reference();
CREATE TRIGGER delete_run_rows AFTER DELETE ON connector_runs FOR EACH ROW EXECUTE FUNCTION delete_run_rows();
CREATE TRIGGER connector_runs_blobs AFTER INSERT OR DELETE ON connector_runs FOR EACH ROW EXECUTE FUNCTION note_blob_reference();
CREATE TRIGGER photo_imports_blobs AFTER INSERT OR DELETE ON photo_imports FOR EACH ROW EXECUTE FUNCTION note_blob_reference();
CREATE TRIGGER photo_imports_blob_dropped AFTER UPDATE OF sha256 ON photo_imports FOR EACH ROW WHEN (OLD.sha256 IS NOT NULL AND NEW.sha256 IS NULL)
  EXECUTE FUNCTION note_blob_dropped();
CREATE TRIGGER connector_runs_blob_dropped AFTER UPDATE OF sha256 ON connector_runs FOR EACH ROW WHEN (OLD.sha256 IS NOT NULL AND NEW.sha256 IS NULL)
  EXECUTE FUNCTION note_blob_dropped();


-- ---------------------------------------------------------------- 2.8 Storage

-- Rows that are updated in place again and again: room on each page, and a vacuum before a fifth of the table has died (the default). The
-- same holds for deliveries: prepare_partitions sets it for each partition.
ALTER TABLE "webhook_paces" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE "webhook_statistics" SET (fillfactor = 70);
ALTER TABLE "messages" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "engine_runs" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE "engine_steps" SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE "credential_counts" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "credential_action_counts" SET (fillfactor = 70);
-- Emptied within milliseconds.
ALTER TABLE "event_outbox" SET (autovacuum_vacuum_scale_factor = 0.01);
-- Emptied every minute.
ALTER TABLE "credential_count_deltas" SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE "credential_action_deltas" SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE "group_counts" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "group_count_deltas" SET (autovacuum_vacuum_scale_factor = 0.01);


-- ---------------------------------------------------------------- 2.9 Partitions

-- The largest tables are split by the week of their ids, which begin with their time, and a week that is over its lifetime is dropped whole
-- (docs/decisions/445). The service owns no table, so both functions run with the rights of the owner; they take no table names.

-- What belongs to no week: rows with ids of long ago, and of weeks that prepare_partitions was not called for in time.
CREATE TABLE "events_default" PARTITION OF "events" DEFAULT;
CREATE TABLE "event_log_default" PARTITION OF "event_log" DEFAULT;
CREATE TABLE "webhook_deliveries_default" PARTITION OF "webhook_deliveries" DEFAULT;
CREATE TABLE "webhook_attempts_default" PARTITION OF "webhook_attempts" DEFAULT;

-- The beginning of the week of a time; weeks are counted from 1970-01-01, a Thursday.
CREATE FUNCTION week_of(moment TIMESTAMPTZ) RETURNS TIMESTAMPTZ
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT date_bin('7 days', moment, '1970-01-01 00:00:00+00') $$;

-- The smallest UUIDv7 of a time (RFC 9562, section 5.7: 48 bits of milliseconds come first).
CREATE FUNCTION first_uuid_of(moment TIMESTAMPTZ) RETURNS UUID
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT rpad(lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid $$;

-- Makes the partitions of the week of `moment` and of the next five. Rows that already wait in the default partition move. A partition is
-- filled first and then attached, so that reading and writing the table go on; only the default partition is locked. Where writers use the
-- default partition for this week, they wait: one that has chosen the default partition before its rows move would be refused (23514) after it
-- (docs/decisions/495). The tables are locked in the order in which writers use them.
CREATE FUNCTION prepare_partitions(moment TIMESTAMPTZ) RETURNS VOID
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  parent text;
  partition text;
  beginning timestamptz;
  bounds uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock(7266337);
  FOREACH parent IN ARRAY ARRAY['events', 'event_log', 'webhook_deliveries', 'webhook_attempts'] LOOP
    IF to_regclass(format('%s_%s', parent, to_char(week_of(moment) AT TIME ZONE 'UTC', 'YYYYMMDD'))) IS NULL THEN
      EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', parent);
    END IF;
  END LOOP;
  FOREACH parent IN ARRAY ARRAY['events', 'event_log', 'webhook_deliveries', 'webhook_attempts'] LOOP
    FOR n IN 0..5 LOOP
      beginning := week_of(moment) + n * interval '7 days';
      partition := format('%s_%s', parent, to_char(beginning AT TIME ZONE 'UTC', 'YYYYMMDD'));
      CONTINUE WHEN to_regclass(partition) IS NOT NULL;
      bounds := ARRAY[first_uuid_of(beginning), first_uuid_of(beginning + interval '7 days')];
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', partition, parent);
      IF parent = 'webhook_deliveries' THEN
        EXECUTE format('ALTER TABLE %I SET (fillfactor = 45, autovacuum_vacuum_scale_factor = 0.02)', partition);
      END IF;
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent || '_default');
      EXECUTE format('WITH moved AS (DELETE FROM %I WHERE id >= %L AND id < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
        parent || '_default', bounds[1], bounds[2], partition);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, partition, bounds[1], bounds[2]);
    END LOOP;
  END LOOP;
END $$;

-- Drops the oldest partition whose week ended before the lifetime of its table began, and returns its name; null where there is none. Kept
-- are events that have no number yet, and deliveries while one of their week is pending: of a paused endpoint, for instance. Whoever uses
-- the table meanwhile waits for this function at most as long as it waits for them, so it waits only briefly.
CREATE FUNCTION drop_expired_partition(events_before TIMESTAMPTZ, attempts_before TIMESTAMPTZ, deliveries_before TIMESTAMPTZ) RETURNS TEXT
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms'
AS $$
DECLARE
  expired record;
  in_use boolean;
BEGIN
  FOR expired IN
    SELECT c.relname AS name, p.relname AS parent, first_uuid_of(week.beginning + interval '7 days') AS ending
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
    JOIN (VALUES ('events', events_before), ('event_log', events_before), ('webhook_attempts', attempts_before), ('webhook_deliveries', deliveries_before))
      AS lifetime (parent, before) ON lifetime.parent = p.relname
    CROSS JOIN LATERAL (SELECT to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' AS beginning) AS week
    WHERE p.relnamespace = 'public'::regnamespace AND c.relname ~ '_[0-9]{8}$' AND week.beginning + interval '7 days' <= lifetime.before
    ORDER BY week.beginning, p.relname
  LOOP
    IF expired.parent IN ('events', 'event_log') THEN
      in_use := EXISTS (SELECT FROM event_outbox WHERE id < expired.ending);
    ELSIF expired.parent = 'webhook_deliveries' THEN
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', expired.name);
      EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE status = ''pending'')', expired.name) INTO in_use;
    ELSE
      in_use := false;
    END IF;
    CONTINUE WHEN in_use;
    EXECUTE format('DROP TABLE %I', expired.name);
    RETURN expired.name;
  END LOOP;
  RETURN NULL;
END $$;

REVOKE ALL ON FUNCTION prepare_partitions(TIMESTAMPTZ), drop_expired_partition(TIMESTAMPTZ, TIMESTAMPTZ, TIMESTAMPTZ) FROM PUBLIC;
