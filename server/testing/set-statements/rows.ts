import pg from "pg";
import { asId, earliestId, firstId, publicId, uuidOf, type Id, type IdPrefix } from "@/server/core/ids";

const dayMs = 86_400_000;

/**
 * Of this many rows, one is old, for code that removes old rows, and one is due, for code that depends on the clock.
 */
const every = 250;

/** Tables with as many rows as an organisation has people, and tables with fewer. */
export const large = [
  "subjects",
  "subject_sources",
  "credentials",
  "credential_history",
  "events",
  "event_log",
  "event_outbox",
  "webhook_deliveries",
  "webhook_attempts",
  "bulk_rows",
  "group_members",
  "scim_users",
  "connector_rows",
  "connector_removals",
  "connector_changes",
  "connector_member_changes",
  "connector_memberships",
  "connector_rejected_rows",
];
const small = [
  "api_keys",
  "oauth_clients",
  "webhook_endpoints",
  "webhook_paces",
  "webhook_statistics",
  "memberships",
  "users",
  "notifications",
  "engine_runs",
  "engine_event_ids",
  "groups",
  "connectors",
];

/** Added to sequence numbers, so that they lie beyond those that the sequencer gives to events of the calls. */
const beyond = 1_000_000;

/** What the rows of an organisation refer to. */
export interface Home {
  orgId: Id<"org">;
  templateId: Id<"tpl">;
  versionId: Id<"tpv">;
  /** A finished bulk job, which has a row for each credential. */
  jobId: Id<"blk">;
  /** A static group of which everybody is a member. */
  groupId: Id<"grp">;
  /** A directory that provides everybody, and whose removals all wait. */
  directoryId: Id<"con">;
}

/** Rows numbered `from` to `to` in the large tables, and a tenth of that in the smaller ones. */
export interface Span {
  from: number;
  to: number;
}

/**
 * Returns the id of a row by its number. Two organisations must not share numbers: `to` of one is below `from` of the
 * next.
 */
export function idOf<P extends IdPrefix>(prefix: P, n: number, at: Date): Id<P> {
  return asId(head(prefix, at) + String(n).padStart(12, "0"));
}

/** The part of an id before the last group of digits: the time, and three digits that distinguish kinds. */
function head(prefix: IdPrefix, at: Date): string {
  const kind = [...prefix].map((letter) => (letter.charCodeAt(0) & 15).toString(16)).join("");
  return `${uuidOf(earliestId(prefix, at)).slice(0, 14)}7000-8${kind}-`;
}

/** Whether an ordinary statement uses the row: it is neither old nor due. */
export const isOrdinary = (n: number) => n % every > 1;

/**
 * Fills all tables for an organisation, with foreign keys and triggers disabled: only the contents of the tables
 * matter.
 */
export async function fill(url: string, home: Home, { from, to }: Span, at: Date): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET session_replication_role = replica");
  const old = new Date(at.getTime() - 200 * dayMs);
  const id = (prefix: IdPrefix, n = "n") =>
    `(CASE WHEN ${n} % ${every} = 0 THEN '${head(prefix, old)}' ELSE '${head(prefix, at)}' END || lpad((${n})::text, 12, '0'))::uuid`;
  // What is not old, by the same numbers: a credential of long ago is of a subject that is.
  const org = `'${home.orgId}'`;
  const now = `'${at.toISOString()}'::timestamptz`;
  const type = "CASE WHEN n % 100 = 0 THEN 'credential.expired' ELSE 'subject.updated' END";
  const rows = `generate_series(${from}, ${to}) AS n`;
  const few = `generate_series(${Math.ceil(from / 10)}, ${Math.floor(to / 10)}) AS n`;
  const endpoint = id(
    "whe",
    `${Math.ceil(from / 10)} + n % ${Math.max(1, Math.floor(to / 10) - Math.ceil(from / 10))}`,
  );
  try {
    await client.query(`
      INSERT INTO subjects (org_id, id, external_id, display_name) SELECT ${org}, ${id("sub")}, 'x-' || n, 'x' FROM ${rows};
      INSERT INTO scim_users (org_id, connector_id, subject_id, user_key, external_id, active, emails, resource, created_at, updated_at)
        SELECT ${org}, '${uuidOf(home.directoryId)}', ${id("sub")}, 'key-' || n, 'key-' || n, true, '{}', '{}', ${now}, ${now} FROM ${rows};
      INSERT INTO subject_sources (org_id, subject_id, type, source_id, last_seen_at) SELECT ${org}, ${id("sub")}, 'api', '${firstId}', ${now} FROM ${rows};
      INSERT INTO group_members (org_id, group_id, subject_id) SELECT ${org}, '${home.groupId}', ${id("sub")} FROM ${rows};
      INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, kind, state, valid_from, issued_at, expires_at, source_type, created_at, updated_at)
        SELECT ${org}, ${id("crd")}, lpad(n::text, 16, '0'), ${id("sub")}, '${home.templateId}', '${home.versionId}', 'membership', 'active', ${now} - interval '2 days', ${now},
          CASE WHEN n % ${every} = 1 THEN ${now} - interval '1 day' END, 'api', ${now}, ${now} FROM ${rows};
      INSERT INTO status_entries (org_id, credential_id, index) SELECT ${org}, ${id("crd")}, 1000000000 + n FROM ${rows};
      INSERT INTO credential_history (org_id, id, credential_id, action, to_state, actor) SELECT ${org}, ${id("crh")}, ${id("crd")}, 'issued', 'active', '{}' FROM ${rows};
      INSERT INTO events (org_id, id, type, resource_id, body) SELECT ${org}, ${id("evt")}, ${type}, ${id("sub")}, '{"n":1' FROM ${rows};
      INSERT INTO event_log (org_id, id, sequence, type, resource_id, created_at)
        SELECT ${org}, ${id("evt")}, ${beyond} + n, ${type}, ${id("sub")}, ${now} FROM ${rows} WHERE n % ${every} <> 1;
      INSERT INTO event_outbox (org_id, id, type, resource_id, created_at)
        SELECT ${org}, ${id("evt")}, ${type}, ${id("sub")}, ${now} FROM ${rows} WHERE n % ${every} = 1;
      INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, status, next_attempt_at)
        SELECT ${org}, ${id("dlv")}, ${endpoint}, ${id("evt")}, 'subject.updated', n, CASE WHEN n % ${every} = 0 THEN 'succeeded' WHEN n % 5 = 1 THEN 'failed' ELSE 'pending' END,
          CASE WHEN n % ${every} <> 0 AND n % 5 <> 1 THEN ${now} - interval '1 minute' END FROM ${rows};
      INSERT INTO webhook_attempts (org_id, id, delivery_id, endpoint_id, number, trigger, url, request_headers, duration_ms)
        SELECT ${org}, ${id("att")}, ${id("dlv")}, ${endpoint}, 1, 'event', '', '{}', 1 FROM ${rows};
      INSERT INTO api_keys (org_id, id, name, hash, last_four, created_by) SELECT ${org}, ${id("key")}, '', n, '', '{}' FROM ${few};
      INSERT INTO oauth_clients (org_id, id, client_id, name, created_by) SELECT ${org}, ${id("ocl")}, n, '', '{}' FROM ${few};
      INSERT INTO users (id, email, email_verified_at) SELECT ${id("usr")}, n, ${now} FROM ${few};
      INSERT INTO memberships (org_id, id, user_id, role) SELECT ${org}, ${id("mem")}, ${id("usr")}, 'viewer' FROM ${few};
      INSERT INTO notifications (org_id, dedupe_key, user_id, kind, facts, state, next_attempt_at, created_at)
        SELECT ${org}, n, ${id("usr")}, 'endpoint_failing', '{}', CASE WHEN n % 50 = 2 THEN 'pending' ELSE 'sent' END, ${now}, ${now} FROM ${few};
      UPDATE memberships SET role = 'owner' WHERE org_id = ${org} AND user_id IN (SELECT user_id FROM notifications WHERE state = 'pending');
      INSERT INTO webhook_endpoints (org_id, id, url, event_types, status, secret, rate_limit, disabled_at)
        SELECT ${org}, ${id("whe")}, 'http://127.0.0.1/', '{none}', CASE WHEN n % 50 = 3 THEN 'disabled' ELSE 'active' END, '', CASE WHEN n % 2 = 0 THEN 1000 END, NULL FROM ${few};
      INSERT INTO webhook_paces (org_id, endpoint_id, next_at) SELECT ${org}, ${id("whe")}, ${now} - interval '1 minute' FROM ${few};
      INSERT INTO webhook_statistics (org_id, endpoint_id, hour, ok, bucket, attempts) SELECT ${org}, ${id("whe")}, date_trunc('hour', ${now}), true, 1, 1 FROM ${few};
      INSERT INTO engine_runs (function_id, event, state, signal, due_at, created_at, finished_at) SELECT 'other', '{}', 'succeeded', 's' || n, ${now}, ${now}, ${now} FROM ${few};
      INSERT INTO engine_event_ids (id, seen_at) SELECT 'seen-' || n, ${now} FROM ${few};
    `);
    const credentials = Array.from({ length: to - from + 1 }, (_, i) =>
      publicId("crd", idOf("crd", from + i, (from + i) % every === 0 ? old : at)),
    );
    await client.query(
      `INSERT INTO bulk_rows (org_id, job_id, "index", input, ok, result)
       SELECT $1, $2, $3::int + n - 1, '{}', true, jsonb_build_object('credentialId', id) FROM unnest($4::text[]) WITH ORDINALITY AS credential (id, n)`,
      [home.orgId, home.jobId, from, credentials],
    );
  } finally {
    await client.end();
  }
}

/**
 * Empties the tables that fill() fills, with everything that refers to them, and makes PostgreSQL forget its statistics,
 * as in a new database.
 */
export async function empty(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`TRUNCATE ${[...large, ...small].join(", ")} CASCADE`);
    await client.query(
      `SELECT pg_clear_attribute_stats('public', tablename, attname, inherited) FROM pg_stats WHERE schemaname = 'public'`,
    );
    await client.query(
      `SELECT pg_clear_relation_stats('public', relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'i', 'I')`,
    );
  } finally {
    await client.end();
  }
}

/**
 * Stops PostgreSQL from vacuuming and analysing these tables by itself, so that its statistics stay as a test set them.
 */
export async function keepStatistics(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relid::regclass::text AS name FROM unnest($1::text[]) AS given (name), pg_partition_tree(given.name) WHERE isleaf
       UNION SELECT name FROM unnest($1::text[]) AS given (name) WHERE to_regclass(name) NOT IN (SELECT partrelid FROM pg_partitioned_table)`,
      [[...large, ...small]],
    );
    for (const { name } of rows) await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
  } finally {
    await client.end();
  }
}
