/**
 * What erasure does with a column of text, JSON or bytes.
 * - `blanked`: the person's data in it is removed.
 * - `deleted`: the row is deleted with the erasure, and the file that it names by the next sweep
 *   (server/http/rest/photo.test.ts).
 * - `hashed`: replaced by a keyed hash.
 * - `derived`: generated from blanked columns; so are indexes on it.
 * - `stays`: codes, states, types, digests and texts of the service itself. Names nobody.
 * - `organisation`: what the organisation says about itself and its designs, endpoints and keys.
 * - `member`: about a person who signs in to the console and is not a subject. Removed with the account.
 * - `short-lived`: chosen by a caller or derived from a request, and deleted within 24 hours.
 */
export type Treatment =
  | "blanked"
  | "deleted"
  | "hashed"
  | "derived"
  | "stays"
  | "organisation"
  | "member"
  | "short-lived";

const each = <T extends Treatment>(treatment: T, names: string) =>
  Object.fromEntries(names.split(" ").map((name) => [name, treatment]));

/**
 * What erasure does with each column of text, JSON or bytes, by table. A test compares it with the database, so that a
 * new column is not forgotten: declare it here and, if it holds personal data, blank it in server/erasure.
 */
export const columns: Record<string, Record<string, Treatment>> = {
  subjects: {
    ...each("stays", "status photo_status"),
    external_id: "hashed",
    ...each("blanked", "display_name email attributes photo_reason photo_by"),
    search: "derived",
  },
  subject_sources: { ...each("stays", "type stated"), key: "deleted" },
  connectors: {
    ...each(
      "organisation",
      "name type settings mapping mode missing adopt limits status schedule secret pgp_key pgp sftp_user sftp_hash",
    ),
    // The key of a deleted connector, until the job that gives its people other values is done.
    fall_back_after: "short-lived",
  },
  // About rows and files: line numbers, names of columns and the service's own words.
  connector_runs: {
    ...each("stays", "status trigger actor scopes access_token digest phase progress hold error"),
    ...each("organisation", "config file origin"),
    // The file is deleted when it has been read. A file that waits to be read can name a person until then; the row is
    // refused.
    sha256: "short-lived",
  },
  connector_rows: each("deleted", "key fields groups"),
  // The key of the row that was applied last, until the run has applied all.
  connector_second_halves: { after_key: "short-lived" },
  connector_groups: each("organisation", "name_key"),
  connector_member_changes: each("stays", "kind cause state"),
  connector_row_errors: { ...each("stays", "code message"), column: "organisation" },
  connector_changes: each("deleted", "before"),
  connector_rejected_rows: each("deleted", "cells"),
  connector_removals: each("stays", "cause state"),
  policies: {
    ...each("stays", "on_exit reentry status"),
    ...each("organisation", "name rule rule_group_ids schedule blast_radius renewal"),
  },
  // About people: numbers, names of fields and the service's own words.
  policy_runs: {
    ...each("stays", "status trigger actor scopes access_token phase expected plan_hash counts halt error refusal"),
    config: "organisation",
  },
  policy_removals: each("stays", "action state"),
  policy_exceptions: each("deleted", "effect reason"),
  scim_users: { ...each("hashed", "user_key external_id"), ...each("blanked", "emails resource") },
  scim_groups: each("organisation", "display_name name_key external_id"),
  scim_pending_members: { value: "deleted" },
  scim_removals: each("stays", "cause state"),
  // Ids, numbers and the service's own words; requests and responses are not stored.
  scim_requests: each("stays", "method endpoint error effect"),
  subject_photos: { ...each("stays", "rendition"), sha256: "deleted" },
  blobs: { sha256: "deleted" },
  photo_imports: {
    ...each("stays", "status actor scopes access_token stop_reason"),
    // The archive is deleted when the import is over. Until then, photos of erased people in it are rejected.
    sha256: "short-lived",
  },
  photo_rejections: { ...each("stays", "code reason"), ...each("blanked", "file_name external_id") },
  // A rule that names a person is a text of the organisation. The answer of an erasure says so (decision 369).
  groups: each("organisation", "name external_id description kind rule rule_group_ids evaluation_problem"),
  badge_documents: each("deleted", "digest document jwt"),
  credentials: {
    ...each("stays", "code kind state source_type source_id"),
    ...each("blanked", "data metadata recipient suspension_reason revocation_reason"),
  },
  messages: { ...each("stays", "kind state"), ...each("blanked", "address error") },
  credential_channels: { ...each("stays", "type status error"), address: "deleted" },
  // Settings of the organisation. The key is encrypted.
  apple_wallet_settings: {
    ...each("stays", "problem"),
    ...each("organisation", "pass_type_id team_id certificate private_key wwdr"),
  },
  // The phone is told that its pass is void; these rows are deleted 30 days after the erasure
  // (server/retention/purge.ts).
  apple_passes: { ...each("stays", "pass_type_id"), ...each("deleted", "serial token") },
  apple_devices: { ...each("stays", "pass_type_id state"), ...each("deleted", "device_id push_token") },
  google_wallet_settings: {
    ...each("stays", "problem"),
    ...each("organisation", "issuer_id client_email key_id private_key"),
  },
  // Google is told to blank the pass; the row is deleted 30 days after the erasure, once Google has accepted that.
  google_passes: { ...each("stays", "told state notified_at"), object_id: "deleted" },
  claim_links: each("organisation", "code name fields"),
  // A waiting claim is rejected. The address of a decided claim is replaced, so that there is still one claim per
  // address.
  claims: { ...each("stays", "locale state decided_by"), ...each("blanked", "email display_name data reason") },
  address_proofs: { ...each("stays", "purpose code_hash token_hash"), ...each("deleted", "email from_email") },
  holder_sessions: { ...each("deleted", "token_hash email") },
  holder_addresses: each("deleted", "email"),
  name_confirmations: {
    ...each("stays", "state token source_type source_id decided_by"),
    ...each("blanked", "terms reason"),
  },
  name_requests: { ...each("stays", "state decided_by"), ...each("blanked", "name note reason") },
  credential_history: { ...each("stays", "action from_state to_state actor"), ...each("blanked", "reason note") },
  credential_counts: each("stays", "state"),
  credential_count_deltas: each("stays", "state"),
  credential_action_counts: each("stays", "action"),
  credential_action_deltas: each("stays", "action"),
  // The reason and note of a job are removed when it is over (server/credentials/bulk-job.ts).
  bulk_jobs: { ...each("stays", "action state actor scopes access_token stop_reason"), params: "organisation" },
  bulk_rows: each("blanked", "input result"),
  events: { ...each("stays", "type"), body: "blanked" },
  event_outbox: each("stays", "type actor_id"),
  event_log: each("stays", "type actor_id"),
  idempotency_records: {
    ...each("stays", "subject_ids"),
    ...each("short-lived", "key fingerprint"),
    answer: "blanked",
  },
  erasure_keys: each("stays", "key"),
  status_lanes: each("stays", "taken"),
  status_changes: each("stays", "purpose credential_ids"),
  status_list_copies: each("stays", "purpose domain document jwt"),
  status_lists: each("stays", "purpose bits document jwt url"),
  issuer_domains: each("organisation", "domain challenge problem"),
  issuer_keys: each("organisation", "kind public_key private_key"),
  // No audit entry holds a subject's data in its detail. `erase` keeps its reason, which names the request.
  audit_entries: { ...each("stays", "action actor target_type target_id request_id"), detail: "organisation" },
  security_events: {
    ...each("stays", "dedupe_key type target_type target_id request_id buckets"),
    ...each("member", "address detail"),
  },

  webhook_attempts: {
    ...each("stays", "trigger address request_headers error_class error_detail"),
    url: "organisation",
    ...each("blanked", "response_body response_headers"),
  },
  // A delivery has the body of its event; only a test delivery has a body of its own, which is a sample.
  webhook_deliveries: each("stays", "event_type status trigger last_error_class body"),
  webhook_endpoints: {
    ...each(
      "stays",
      "event_types status secret previous_secret disabled_reason last_failure_detail last_failure_class",
    ),
    ...each("organisation", "url description headers header_names metadata"),
  },

  organisations: each("organisation", "name confirmed_name slug time_zone locale recipient_identity messages"),
  achievements: { ...each("stays", "status"), ...each("organisation", "name metadata") },
  achievement_images: each("organisation", "sha256"),
  achievement_versions: { ...each("stays", "status"), ...each("organisation", "name content") },
  templates: { ...each("stays", "kind status"), ...each("organisation", "name slug metadata message_kinds messages") },
  template_versions: {
    ...each("stays", "status photo"),
    ...each("organisation", "design validity bindings formats public_fields"),
  },
  api_keys: { ...each("stays", "hash last_four scopes created_by"), name: "organisation" },
  oauth_clients: { ...each("stays", "client_id scopes created_by"), name: "organisation" },
  oauth_client_secrets: each("stays", "hash last_four"),
  access_tokens: each("stays", "hash scopes"),

  users: each("member", "email name password_hash"),
  memberships: each("stays", "role"),
  one_time_links: { ...each("stays", "token_hash purpose role created_by"), email: "member" },
  account_mails: { ...each("stays", "kind change locale state"), ...each("member", "email link") },
  console_sessions: each("member", "address user_agent"),
  authenticator_apps: { secret: "member" },
  passkeys: { ...each("stays", "credential_id transports"), ...each("member", "public_key name") },
  recovery_codes: each("stays", "code_hash"),
  challenges: { ...each("stays", "token_hash purpose webauthn_challenge proof"), sso: "member" },
  sso_identities: { ...each("stays", "issuer"), ...each("member", "subject email") },
  notifications: each("stays", "dedupe_key kind facts state"),

  // Events that start jobs hold only ids.
  engine_runs: each("stays", "function_id event state signal concurrency_key output error"),
  engine_steps: each("stays", "id result"),
  engine_event_ids: each("stays", "id"),
  engine_schedules: each("stays", "function_id cron"),
  sftp_host_keys: each("stays", "type private_key"),
  master_secret: each("stays", "fingerprint previous"),
  _prisma_migrations: each("stays", "id checksum migration_name logs"),
};
