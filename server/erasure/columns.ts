/**
 * What erasure does with a column of text, JSON or bytes.
 * - `blanked`: emptied of the person, where it holds something of them.
 * - `hashed`: replaced by a keyed hash.
 * - `derived`: generated from columns that are blanked, and indexes with it.
 * - `stays`: ids, codes, states, types, digests and words of the service itself. Names nobody.
 * - `organisation`: what the organisation says of itself and its designs, endpoints and keys.
 * - `member`: about a person who signs in to the console, who is no subject. Removed with the account.
 * - `short-lived`: chosen by a caller or derived from a request, and gone within 24 hours.
 */
export type Treatment = "blanked" | "hashed" | "derived" | "stays" | "organisation" | "member" | "short-lived";

const each = <T extends Treatment>(treatment: T, names: string) => Object.fromEntries(names.split(" ").map((name) => [name, treatment]));

/**
 * Every column of the database that can hold text, JSON or bytes, by table. A test compares it with the catalogue, so that a new column is not
 * forgotten: who adds one says here what erasure does with it, and where it holds something of a person, blanks it in server/erasure.
 */
export const columns: Record<string, Record<string, Treatment>> = {
  subjects: { ...each("stays", "org_id id status"), external_id: "hashed", ...each("blanked", "display_name email attributes"), search: "derived" },
  credentials: {
    ...each("stays", "org_id id code subject_id template_id template_version_id kind state supersedes superseded_by source_type source_id"),
    ...each("blanked", "data metadata suspension_reason revocation_reason"),
  },
  credential_history: { ...each("stays", "org_id id credential_id action from_state to_state actor"), ...each("blanked", "reason note") },
  bulk_jobs: { ...each("stays", "org_id id action state actor scopes stop_reason"), params: "organisation" },
  bulk_rows: { ...each("stays", "org_id job_id"), ...each("blanked", "input result") },
  events: { ...each("stays", "org_id id type resource_id actor_id template_id"), body: "blanked" },
  event_counters: each("stays", "org_id"),
  idempotency_records: { ...each("stays", "org_id subject_ids"), ...each("short-lived", "key fingerprint"), answer: "blanked" },
  erasure_keys: each("stays", "org_id key"),
  // No action of the service has a subject's data in its detail; `erase` keeps the reason, which names the request.
  audit_entries: { ...each("stays", "org_id id action actor target_type target_id request_id"), detail: "organisation" },
  security_events: { ...each("stays", "org_id id dedupe_key type target_type target_id request_id buckets"), ...each("member", "address detail") },

  webhook_attempts: { ...each("stays", "org_id id delivery_id endpoint_id trigger address request_headers error_class error_detail"), url: "organisation", ...each("blanked", "response_body response_headers") },
  // The body of a delivery is that of its event; only a test has one of its own, which is a sample.
  webhook_deliveries: each("stays", "org_id id endpoint_id event_id event_type status trigger claim_id last_error_class body"),
  webhook_endpoints: {
    ...each("stays", "org_id id event_types status secret previous_secret disabled_reason last_failure_detail last_failure_class last_failure_delivery_id"),
    ...each("organisation", "url description headers header_names metadata"),
  },
  webhook_paces: each("stays", "org_id endpoint_id"),
  webhook_statistics: each("stays", "org_id endpoint_id"),

  organisations: each("organisation", "id name slug time_zone locale"),
  templates: { ...each("stays", "org_id id kind status"), ...each("organisation", "name slug metadata") },
  template_versions: { ...each("stays", "org_id id template_id status"), ...each("organisation", "design validity bindings public_fields") },
  api_keys: { ...each("stays", "org_id id hash last_four scopes created_by"), name: "organisation" },
  oauth_clients: { ...each("stays", "org_id id client_id scopes created_by"), name: "organisation" },
  oauth_client_secrets: each("stays", "org_id id client_ref hash last_four"),
  access_tokens: each("stays", "hash org_id client_ref scopes"),

  users: { id: "stays", ...each("member", "email name password_hash") },
  memberships: each("stays", "org_id id user_id role"),
  one_time_links: { ...each("stays", "token_hash id purpose org_id role created_by"), email: "member" },
  account_mails: { ...each("stays", "id kind link_id state claim_id"), ...each("member", "email link") },
  console_sessions: { ...each("stays", "id user_id"), ...each("member", "address user_agent") },
  authenticator_apps: { user_id: "stays", secret: "member" },
  passkeys: { ...each("stays", "id user_id credential_id transports"), ...each("member", "public_key name") },
  recovery_codes: each("stays", "user_id code_hash"),
  challenges: { ...each("stays", "token_hash purpose user_id webauthn_challenge proof"), sso: "member" },
  sso_identities: { ...each("stays", "issuer user_id"), ...each("member", "subject email") },
  notifications: each("stays", "org_id dedupe_key user_id kind facts state claim_id"),

  // Jobs are started with ids alone.
  engine_runs: each("stays", "function_id event state signal concurrency_key output error"),
  engine_steps: each("stays", "id result"),
  engine_event_ids: each("stays", "id"),
  engine_schedules: each("stays", "function_id cron"),
  master_secret: each("stays", "fingerprint previous"),
  _prisma_migrations: each("stays", "id checksum migration_name logs"),
};
