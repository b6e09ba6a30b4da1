/** A module and what it may import. Imports of types count too, except from the modules in `types`. */
export interface Module {
  name: string;
  /** Files and folders. A file belongs to the module with the longest matching path. */
  paths: string[];
  /** Names of the modules below that it may import. */
  imports: string[];
  /** Names of modules of which only types may be imported. */
  types?: string[];
  /** The packages of `frameworks` that the module may import. */
  frameworks?: string[];
  /** If given, the only packages that the module may import; otherwise it may import any that is not a framework. */
  packages?: string[];
}

/**
 * Packages that tie code to one environment: Next, the browser, the job engine, an HTTP server. All others may be
 * imported everywhere.
 */
export const frameworks = [
  "next",
  "next-auth",
  "react",
  "react-dom",
  "@heroui/react",
  "@tanstack/react-query",
  "inngest",
  "hono",
  "@hono/node-server",
  "@trpc/server",
  "@trpc/client",
];

/** The modules of server/webhooks. */
const webhooks = ["webhook dispatch", "webhook deliveries", "webhook endpoints"];
const domain = [
  "shared",
  "core",
  "outbound",
  "standards",
  "drawing",
  "access",
  "events",
  "reactions",
  "subjects",
  "groups",
  "rules",
  "issuers",
  "achievements",
  "templates",
  "organisations",
  "credentials",
  "confirmations",
  "holders",
  "claims",
  "channels",
  "messages",
  "message texts",
  "photos",
  "connectors",
  "policies",
  "scim",
  ...webhooks,
  "verification",
  "wallets",
];
const browser = ["next", "next-auth", "react", "@heroui/react", "@tanstack/react-query"];

/**
 * The layers from top to bottom: each module imports only modules below it in this list, and of those only the ones
 * that it names. A new folder needs a row (a test fails without one). Tests, benchmarks and journeys may import
 * anything, and nothing imports them.
 */
export const modules: Module[] = [
  // Composition roots.
  {
    name: "serve",
    paths: ["server/serve.ts", "server/release.ts", "server/job-thread"],
    imports: [
      "jobs",
      "web",
      "wallets",
      "webhook dispatch",
      "connectors",
      "scim",
      "verification",
      "access",
      "outbound",
      "drawing",
      "core",
    ],
    frameworks: ["next"],
  },
  {
    name: "admin",
    paths: ["server/admin", "server/admin.ts"],
    imports: [
      "rest",
      "demo",
      "wallets",
      "webhook endpoints",
      "connectors",
      "organisations",
      "issuers",
      "subjects",
      "access",
      "core",
      "shared",
    ],
  },
  { name: "mounts", paths: ["app/api"], imports: ["jobs", "trpc", "web", "rest", "shared"], frameworks: ["next-auth"] },
  {
    name: "jobs",
    paths: ["inngest"],
    imports: [
      "consumers",
      "retention",
      "notifications",
      "messages",
      "wallets",
      "webhook dispatch",
      "webhook deliveries",
      "webhook endpoints",
      "policies",
      "credentials",
      "groups",
      "photos",
      "connectors",
      "reactions",
      "core",
    ],
    frameworks: ["inngest"],
  },
  {
    name: "demo",
    paths: ["server/demo"],
    imports: [
      "consumers",
      "verification",
      "webhook dispatch",
      "webhook deliveries",
      "webhook endpoints",
      "policies",
      "credentials",
      "templates",
      "achievements",
      "organisations",
      "groups",
      "subjects",
      "access",
      "events",
      "core",
      "shared",
    ],
  },
  {
    name: "consumers",
    paths: ["server/consumers.ts"],
    imports: ["notifications", "messages", "wallets", "webhook dispatch", "reactions", "core"],
  },

  // Pages.
  {
    name: "console",
    paths: ["app/(console)"],
    imports: ["components", "shared"],
    types: ["trpc", ...domain],
    frameworks: browser,
  },
  { name: "sign-in pages", paths: ["app/(auth)"], imports: ["components"], types: ["trpc"], frameworks: browser },
  {
    name: "public pages",
    paths: ["app/c", "app/verify", "app/claim", "app/confirm", "app/home", "app/assets", "app/offline.js"],
    imports: [
      "components",
      "web",
      "rest",
      "badges",
      "holders",
      "claims",
      "confirmations",
      "wallets",
      "verification",
      "access",
      "core",
      "shared",
    ],
  },
  {
    name: "docs",
    paths: ["app/docs"],
    imports: ["components", "web", "openapi", "groups", "events", "core", "shared"],
    frameworks: ["next", "react", "@heroui/react"],
  },
  {
    name: "app",
    paths: ["app/layout.tsx", "app/not-found.tsx"],
    imports: ["components"],
    frameworks: ["next", "react"],
  },
  {
    name: "components",
    paths: ["components"],
    imports: ["shared"],
    types: ["trpc", ...domain],
    frameworks: [...browser, "@trpc/client"],
  },

  // Dialects: they translate and never decide. One import goes upwards and is not listed:
  // server/http/generated/routes.ts imports every route file of the API. A script writes it, so that no list of them is
  // kept by hand.
  {
    name: "api",
    paths: ["app/v1", "app/public", "app/wallet", "app/oauth", "app/scim", "app/healthz", "app/readyz", "app/metrics"],
    imports: [
      "web",
      "oauth",
      "scim dialect",
      "rest",
      "wallets",
      "holders",
      "claims",
      "channels",
      "messages",
      "erasure",
      "badges",
      "verification",
      "webhook deliveries",
      "webhook endpoints",
      "policies",
      "confirmations",
      "credentials",
      "photos",
      "scim",
      "connectors",
      "templates",
      "achievements",
      "organisations",
      "issuers",
      "groups",
      "subjects",
      "events",
      "core",
      "shared",
    ],
  },
  {
    name: "trpc",
    paths: ["server/trpc"],
    imports: [
      "web",
      "rest",
      "wallets",
      "notifications",
      "holders",
      "claims",
      "channels",
      "messages",
      "erasure",
      "badges",
      "webhook deliveries",
      "webhook endpoints",
      "policies",
      "photos",
      "scim",
      "connectors",
      "confirmations",
      "credentials",
      "templates",
      "achievements",
      "organisations",
      "issuers",
      "groups",
      "subjects",
      "access",
      "events",
      "core",
      "shared",
    ],
    frameworks: ["@trpc/server"],
  },
  {
    name: "web",
    paths: ["server/http/web"],
    imports: [
      "scim dialect",
      "rest",
      "webhook deliveries",
      "organisations",
      "verification",
      "drawing",
      "access",
      "core",
      "shared",
    ],
    frameworks: ["next-auth", "hono", "@hono/node-server"],
  },
  {
    name: "openapi",
    paths: ["server/http/openapi"],
    imports: ["rest", "badges", "wallets", "verification", "issuers", "events", "shared"],
  },
  {
    name: "scim dialect",
    paths: ["server/http/scim"],
    imports: ["rest", "scim", "scim protocol", "access", "core", "shared"],
  },
  { name: "oauth", paths: ["server/http/oauth"], imports: ["rest", "access", "core", "shared"] },
  {
    name: "rest",
    // Includes server/http/generated, which the modules web and openapi read.
    paths: ["server/http"],
    imports: ["verification", "access", "core", "shared"],
  },

  // The domain.
  {
    name: "erasure",
    paths: ["server/erasure"],
    imports: ["credentials", "groups", "subjects", "access", "events", "core", "shared"],
  },
  // Signed documents of academic credentials, which other verifiers read.
  {
    name: "badges",
    paths: ["server/badges"],
    imports: ["credentials", "achievements", "templates", "issuers", "standards", "drawing", "core", "shared"],
  },
  { name: "retention", paths: ["server/retention"], imports: ["core", "shared"] },
  {
    name: "notifications",
    paths: ["server/notifications"],
    imports: [
      "webhook endpoints",
      "scim",
      "channels",
      "messages",
      "message texts",
      "events",
      "access",
      "reactions",
      "core",
      "shared",
    ],
  },
  // Passes in Apple Wallet and Google Wallet.
  {
    name: "wallets",
    paths: ["server/wallets"],
    imports: [
      "verification",
      "channels",
      "credentials",
      "subjects",
      "reactions",
      "access",
      "events",
      "standards",
      "drawing",
      "outbound",
      "core",
      "shared",
    ],
  },
  // All that is a holder's, for whoever proves an address.
  {
    name: "holders",
    paths: ["server/holders"],
    imports: ["confirmations", "credentials", "subjects", "access", "core", "shared"],
  },
  // Links under which people claim credentials.
  {
    name: "claims",
    paths: ["server/claims"],
    imports: ["credentials", "templates", "subjects", "access", "core", "shared"],
  },
  // The ways on which credentials are sent to their holders.
  {
    name: "channels",
    paths: ["server/channels"],
    imports: ["messages", "credentials", "subjects", "access", "core", "shared"],
  },
  // E-mails to holders: what makes them due, what they say, and the outbox.
  {
    name: "messages",
    paths: ["server/messages"],
    imports: [
      "credentials",
      "templates",
      "message texts",
      "access",
      "reactions",
      "standards",
      "drawing",
      "core",
      "shared",
    ],
  },
  {
    name: "verification",
    paths: ["server/verification"],
    imports: [
      "credentials",
      "issuers",
      "templates",
      "subjects",
      "events",
      "standards",
      "drawing",
      "outbound",
      "core",
      "shared",
    ],
  },
  {
    name: "webhook dispatch",
    paths: ["server/webhooks/dispatch"],
    imports: ["webhook deliveries", "webhook endpoints", "events", "reactions", "outbound", "core", "shared"],
  },
  {
    name: "webhook deliveries",
    paths: ["server/webhooks/deliveries"],
    imports: ["webhook endpoints", "access", "events", "reactions", "core", "shared"],
  },
  {
    name: "webhook endpoints",
    paths: ["server/webhooks/endpoints"],
    imports: ["access", "events", "reactions", "outbound", "core", "shared"],
  },
  // Holders who confirm their names before anything is signed.
  {
    name: "confirmations",
    paths: ["server/confirmations"],
    imports: ["policies", "credentials", "access", "events", "core", "shared"],
  },
  {
    name: "policies",
    paths: ["server/policies"],
    imports: [
      "credentials",
      "organisations",
      "subjects",
      "groups",
      "rules",
      "templates",
      "access",
      "events",
      "core",
      "shared",
    ],
  },
  {
    name: "credentials",
    paths: ["server/credentials"],
    imports: [
      "achievements",
      "organisations",
      "issuers",
      "subjects",
      "templates",
      "access",
      "events",
      "core",
      "shared",
    ],
  },
  // Archives of photos, whose files are named by external id.
  {
    name: "photos",
    paths: ["server/photos"],
    imports: ["connectors", "subjects", "reactions", "access", "core", "shared"],
  },
  // Directories that push people.
  {
    name: "scim",
    paths: ["server/scim"],
    imports: ["connectors", "groups", "subjects", "scim protocol", "access", "core", "shared"],
  },
  {
    name: "connectors",
    paths: ["server/connectors"],
    imports: [
      "organisations",
      "groups",
      "subjects",
      "reactions",
      "scim protocol",
      "access",
      "outbound",
      "core",
      "shared",
    ],
  },
  {
    name: "groups",
    paths: ["server/groups"],
    imports: ["rules", "subjects", "organisations", "events", "core", "shared"],
  },
  {
    name: "templates",
    paths: ["server/templates"],
    imports: ["achievements", "organisations", "message texts", "access", "events", "core", "shared"],
  },
  {
    name: "achievements",
    paths: ["server/achievements"],
    imports: ["access", "events", "drawing", "standards", "core", "shared"],
  },
  {
    name: "organisations",
    paths: ["server/organisations"],
    imports: ["issuers", "message texts", "access", "core", "shared"],
  },
  // What a template and an organisation say about messages to holders.
  { name: "message texts", paths: ["server/message-texts"], imports: ["core", "shared"] },
  // Keys, DIDs and status entries of organisations as issuers.
  { name: "issuers", paths: ["server/issuers"], imports: ["access", "standards", "outbound", "core", "shared"] },
  // The language that groups and policies share.
  { name: "rules", paths: ["server/rules"], imports: ["core", "shared"] },
  { name: "subjects", paths: ["server/subjects"], imports: ["access", "events", "core", "shared"] },
  { name: "reactions", paths: ["server/reactions"], imports: ["events", "core", "shared"] },
  { name: "access", paths: ["server/access"], imports: ["outbound", "core", "shared"], frameworks: ["next-auth"] },
  { name: "events", paths: ["server/events"], imports: ["core", "shared"] },
  // Formats and signatures; they know nothing of organisations, the database or HTTP.
  { name: "standards", paths: ["server/standards"], imports: ["outbound", "shared"] },
  // Pictures and PDF files, drawn in a process of their own; it knows nothing of organisations or the database.
  { name: "drawing", paths: ["server/drawing"], imports: ["core", "shared"] },
  // RFC 7643 and 7644 without organisations or HTTP: attributes, filters, PATCH.
  { name: "scim protocol", paths: ["server/scim/protocol"], imports: ["core"] },
  { name: "outbound", paths: ["server/outbound"], imports: ["core"] },
  { name: "core", paths: ["server/core"], imports: ["shared"] },

  // Code that also runs in browsers and therefore imports nothing of the server.
  {
    name: "shared",
    paths: [
      "server/access/roles.ts",
      "server/achievements/image-limits.ts",
      "server/achievements/result-of.ts",
      "server/achievements/vocabulary.ts",
      "server/core/ids.ts",
      "server/core/csv-row.ts",
      "server/core/formula-guard.ts",
      "server/core/dates.ts",
      "server/core/languages.ts",
      "server/core/built-in-words.ts",
      "server/core/decimal.ts",
      "server/core/deceptive-text.ts",
      "server/core/errors.ts",
      "server/core/header-fields.ts",
      "server/core/input.ts",
      "server/core/issue-codes.ts",
      "server/core/input-words.ts",
      "server/core/json-pointer.ts",
      "server/core/refused-row.ts",
      "server/core/scopes.ts",
      "server/credentials/code.ts",
      "server/credentials/statement.ts",
      "server/credentials/states.ts",
      "server/drawing/qr-segments.ts",
      "server/message-texts/default-texts.ts",
      "server/message-texts/german-texts.ts",
      "server/message-texts/kinds.ts",
      "server/message-texts/placeholders.ts",
      "server/message-texts/texts.ts",
      "server/rules/parse.ts",
      "server/rules/rule.ts",
      "server/rules/times.ts",
      "server/connectors/cell-formats.ts",
      "server/connectors/groups/names-of-cell.ts",
      "server/connectors/map-row.ts",
      "server/connectors/mapping.ts",
      "server/connectors/page-upload.ts",
      "server/standards/cose/sign1.ts",
      "server/standards/verify/unsigned.ts",
      "server/subjects/photo-limits.ts",
      "server/templates/binding.ts",
      "server/templates/design.ts",
      "server/templates/evidence-text.ts",
      "server/templates/field-text.ts",
      "server/templates/fields.ts",
      "server/templates/hidden-from-files.ts",
      "server/templates/brand.ts",
      "server/templates/palette.ts",
      "server/templates/states.ts",
      "server/templates/validity.ts",
      "server/verification/code-at.ts",
      "server/verification/read-scan.ts",
      "server/wallets/wallet-names.ts",
      "server/webhooks/deliveries/delivery-states.ts",
    ],
    imports: [],
    packages: ["zod", "@internationalized/date", "cborg", "@scure/base"],
  },

  // Plain JavaScript that starts the rest as processes of its own.
  { name: "scripts", paths: ["scripts"], imports: [] },
  { name: "prisma", paths: ["prisma"], imports: [] },
];

/** An import that the table does not allow, and why it stays. */
export interface Exception {
  from: string;
  to: string;
  because: string;
}

export const exceptions: Exception[] = [
  {
    from: "app/docs/webhooks/page.tsx",
    to: "app/(console)/webhooks/[id]/verify/samples.ts",
    because:
      "The guide shows the same four programs as the console. They move to a module of their own when the webhook pages of the console are next changed.",
  },
];

/**
 * The modules that may write each table, its owner first. Reading a table needs no row: what a module reads is its own
 * affair, but writes follow rules of the owner. Writes by triggers need no row. retention deletes old rows, erasure
 * blanks a person, demo sets what no operation can (a time in the past).
 */
export const writers: Record<string, string[]> = {
  access_tokens: ["access", "retention"],
  account_mails: ["access", "notifications", "erasure", "retention"],
  achievement_images: ["achievements"],
  achievement_versions: ["achievements"],
  achievements: ["achievements"],
  address_proofs: ["access", "erasure", "retention"],
  api_keys: ["access", "demo"],
  apple_devices: ["wallets"],
  apple_passes: ["wallets", "erasure", "retention"],
  apple_wallet_settings: ["wallets"],
  audit_entries: ["access"],
  authenticator_apps: ["access"],
  badge_documents: ["badges", "erasure"],
  blobs: ["core"],
  bulk_jobs: ["credentials"],
  bulk_rows: ["credentials", "erasure"],
  challenges: ["access", "retention"],
  // A claim that waits for its name is decided with the name.
  claim_links: ["claims", "credentials", "erasure"],
  claims: ["claims", "credentials", "confirmations", "erasure", "retention"],
  connector_changes: ["connectors", "erasure", "retention"],
  connector_groups: ["connectors"],
  connector_member_changes: ["connectors", "retention"],
  connector_memberships: ["connectors", "retention"],
  connector_rejected_rows: ["connectors", "erasure", "retention"],
  connector_removals: ["connectors", "subjects"],
  connector_row_errors: ["connectors"],
  connector_rows: ["connectors", "erasure"],
  connector_runs: ["connectors", "retention"],
  connector_second_halves: ["connectors"],
  connectors: ["connectors", "retention"],
  console_sessions: ["access", "retention"],
  credential_action_counts: ["credentials", "retention"],
  credential_action_deltas: ["credentials"],
  credential_channels: ["channels", "messages", "notifications", "wallets", "erasure", "retention"],
  credential_count_deltas: ["credentials"],
  credential_counts: ["credentials"],
  credential_history: ["credentials", "erasure"],
  credentials: ["credentials", "erasure"],
  engine_event_ids: ["jobs"],
  engine_runs: ["jobs"],
  engine_schedules: ["jobs"],
  engine_steps: ["jobs"],
  erasure_keys: ["subjects"],
  event_counters: ["reactions"],
  event_log: ["reactions", "retention"],
  event_outbox: ["events", "reactions"],
  events: ["events", "erasure", "retention"],
  google_passes: ["wallets", "erasure", "retention"],
  google_wallet_settings: ["wallets"],
  group_count_deltas: ["groups"],
  group_counts: ["groups"],
  group_members: ["groups"],
  groups: ["groups"],
  holder_addresses: ["holders", "erasure"],
  holder_sessions: ["holders", "erasure", "retention"],
  idempotency_records: ["rest", "erasure", "retention"],
  issuer_domains: ["issuers"],
  issuer_keys: ["issuers"],
  master_secret: ["admin"],
  memberships: ["organisations"],
  message_sweeps: ["messages"],
  messages: ["messages", "channels", "notifications", "erasure"],
  name_confirmations: ["credentials", "confirmations", "erasure", "retention"],
  name_requests: ["holders", "erasure"],
  notifications: ["notifications", "retention"],
  oauth_client_secrets: ["access"],
  oauth_clients: ["access"],
  one_time_links: ["access", "organisations", "retention"],
  organisations: ["organisations", "issuers"],
  passkeys: ["access"],
  photo_imports: ["photos", "retention"],
  photo_rejections: ["photos", "erasure"],
  policies: ["policies"],
  policy_exceptions: ["policies", "erasure"],
  policy_lapses: ["policies"],
  policy_removals: ["policies"],
  policy_runs: ["policies"],
  recovery_codes: ["access"],
  scim_groups: ["scim", "subjects"],
  scim_pending_members: ["scim", "erasure"],
  scim_removals: ["scim", "connectors", "subjects", "erasure"],
  scim_requests: ["scim", "retention"],
  scim_users: ["scim", "subjects", "erasure"],
  security_events: ["access", "retention"],
  sftp_host_keys: ["connectors"],
  sso_identities: ["access", "organisations"],
  status_changes: ["issuers", "retention"],
  status_entries: ["issuers"],
  status_lanes: ["issuers"],
  status_list_copies: ["issuers"],
  status_lists: ["issuers", "retention"],
  subject_photos: ["subjects", "erasure"],
  subject_sources: ["subjects", "erasure", "retention"],
  subjects: ["subjects", "erasure"],
  template_versions: ["templates"],
  templates: ["templates"],
  users: ["access", "organisations"],
  wallet_changes: ["wallets"],
  webhook_attempts: ["webhook dispatch", "erasure", "retention"],
  webhook_deliveries: ["webhook dispatch", "webhook deliveries", "webhook endpoints", "demo", "retention"],
  webhook_endpoints: ["webhook dispatch", "webhook endpoints", "demo"],
  webhook_paces: ["webhook dispatch", "webhook endpoints"],
  webhook_statistics: ["webhook dispatch", "retention"],
};

/** Statements whose table is an expression, with the tables that it can be. */
export const namedAtRunTime: { file: string; table: string; tables: string[] }[] = [
  { file: "inngest/embedded/housekeeping.ts", table: "${table}", tables: ["engine_runs", "engine_event_ids"] },
  { file: "server/access/last-used.ts", table: "${kind}s", tables: ["api_keys", "oauth_clients"] },
  {
    file: "server/access/take-over-account.ts",
    table: "${table}",
    tables: ["authenticator_apps", "passkeys", "recovery_codes", "sso_identities"],
  },
  {
    file: "server/credentials/fold-counts.ts",
    table: "${counts}",
    tables: ["credential_counts", "credential_action_counts"],
  },
  {
    file: "server/credentials/fold-counts.ts",
    table: "${deltas}",
    tables: ["credential_count_deltas", "credential_action_deltas"],
  },
  {
    file: "server/credentials/reconcile-counts.ts",
    table: "${deltas}",
    tables: ["credential_count_deltas", "credential_action_deltas"],
  },
  // Each declaration of RunSteps, of a LeasedTable or of a jobLease counts as a write by the module that declares it.
  { file: "server/core/run-steps.ts", table: "${table}", tables: [] },
  { file: "server/reactions/leased-job.ts", table: "${table}", tables: [] },
  { file: "server/reactions/leased-table.ts", table: "${table}", tables: [] },
  { file: "server/reactions/leased-table.ts", table: "${this.definition.table}", tables: [] },
  {
    file: "server/retention/purge.ts",
    table: "${table}",
    tables: ["webhook_attempts", "event_log", "webhook_deliveries"],
  },
];

/** Writes that no row above allows, and why they stay. */
export const writeExceptions: { file: string; table: string; because: string }[] = [
  {
    file: "server/admin/reencrypt.ts",
    table: "${table}",
    because:
      "`secret reencrypt` walks every column that holds a ciphertext (server/admin/sealed-columns.ts) and replaces it by one with the same content.",
  },
  {
    file: "scripts/migrations/migrate.mjs",
    table: "_prisma_migrations",
    because: "Prisma's own record of what is applied; it is in no schema.",
  },
];

const byLength = modules
  .flatMap((module) => module.paths.map((path) => ({ path, module })))
  .toSorted((a, b) => b.path.length - a.path.length);

/** Returns the module that a file belongs to. */
export function moduleOf(file: string): Module | undefined {
  return byLength.find(({ path }) => file === path || file.startsWith(`${path}/`))?.module;
}
