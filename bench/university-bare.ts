import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Organisation } from "./benchmark";
import { postgresTime } from "./processor-time";

/** Rows of one statement, each with its own commit: as many as a run issues to at most. */
const chunk = 2_000;

/** The tables that a run fills, in the order of their foreign keys. */
const tables = [
  "subjects",
  "subject_sources",
  "connector_changes",
  "credentials",
  "credential_history",
  "policy_removals",
  "bulk_rows",
  "events",
  "event_log",
  "webhook_deliveries",
  "webhook_attempts",
] as const;
type Table = (typeof tables)[number];

interface Write {
  name: string;
  from: Table;
  /** SQL over the staged rows `s`, of which `chunk` are taken at a time. */
  text: (columns: Record<Table, string>) => string;
}

const insert = (table: Table, from = table): Write => ({
  name: table,
  from,
  text: (columns) => `INSERT INTO ${table} (${columns[table]}) SELECT ${columns[table]} FROM s ORDER BY n`,
});

/**
 * Inserts rows as they were before a later statement changed them.
 * @param first the value, as SQL, that each changed column had at first
 */
const begun = (table: Table, first: Record<string, string>): Write => ({
  name: table,
  from: table,
  text: (columns) => {
    const names = columns[table].split(", ");
    return `INSERT INTO ${table} (${columns[table]}) SELECT ${names.map((name) => first[name] ?? name).join(", ")} FROM s ORDER BY n`;
  },
});

/** The rows that each connection writes, one after the other: as often as the server wrote each. */
const lanes: Write[][] = [
  [
    insert("subjects"),
    insert("subject_sources"),
    {
      name: "subjects that changed",
      from: "subjects",
      text: () =>
        `UPDATE subjects t SET attributes = s.attributes, updated_at = s.updated_at FROM s WHERE t.org_id = s.org_id AND t.id = s.id AND s.updated_at <> s.created_at`,
    },
    insert("connector_changes"),
    begun("credentials", {
      state: "'active'",
      suspended_at: "NULL::timestamptz",
      suspension_reason: "NULL::text",
      suspended_by_policy: "false",
      revoked_at: "NULL::timestamptz",
      revocation_reason: "NULL::text",
    }),
    insert("credential_history"),
    {
      name: "credentials that ended",
      from: "credentials",
      text: () =>
        `UPDATE credentials t SET state = s.state, suspended_at = s.suspended_at, suspension_reason = s.suspension_reason, suspended_by_policy = s.suspended_by_policy,
           revoked_at = s.revoked_at, revocation_reason = s.revocation_reason, updated_at = s.updated_at
         FROM s WHERE t.org_id = s.org_id AND t.id = s.id AND s.state <> 'active'`,
    },
    begun("policy_removals", { state: "'staged'", applied_at: "NULL::timestamptz" }),
    {
      name: "removals that were applied",
      from: "policy_removals",
      text: () =>
        `UPDATE policy_removals t SET state = s.state, applied_at = s.applied_at FROM s WHERE t.org_id = s.org_id AND t.run_id = s.run_id AND t.subject_id = s.subject_id`,
    },
    begun("bulk_rows", { ok: "NULL::boolean", result: "NULL::jsonb" }),
    {
      name: "rows of the bulk job that were done",
      from: "bulk_rows",
      text: () =>
        `UPDATE bulk_rows t SET ok = s.ok, result = s.result FROM s WHERE t.org_id = s.org_id AND t.job_id = s.job_id AND t.index = s.index`,
    },
  ],
  [
    {
      name: "events and the outbox",
      from: "events",
      text: ({ events }) => `WITH event AS (INSERT INTO events (${events}) SELECT ${events} FROM s ORDER BY n)
        INSERT INTO event_outbox (org_id, id, type, resource_id, created_at) SELECT org_id, id, type, resource_id, created_at FROM s ORDER BY n`,
    },
    {
      name: "numbers, and deliveries that are due",
      from: "event_log",
      text: ({ event_log }) => `WITH numbered AS (
          INSERT INTO event_log (${event_log}) SELECT ${event_log} FROM s ORDER BY n
        ), gone AS (
          DELETE FROM event_outbox USING (
            SELECT o.ctid AS tid FROM event_outbox o WHERE o.org_id = (SELECT org_id FROM s LIMIT 1) ORDER BY o.position LIMIT ${chunk}
          ) due WHERE event_outbox.ctid = due.tid
        )
        INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, status, next_attempt_at, created_at)
        SELECT d.org_id, d.id, d.endpoint_id, d.event_id, d.event_type, d.sequence, 'pending', d.created_at, d.created_at
        FROM s JOIN staged_webhook_deliveries d ON d.event_id = s.id ORDER BY s.n`,
    },
    {
      name: "deliveries that were leased",
      from: "webhook_deliveries",
      text: () =>
        `UPDATE webhook_deliveries t SET claim_id = s.event_id, lease_until = s.created_at FROM s WHERE t.org_id = s.org_id AND t.id = s.id`,
    },
    {
      name: "deliveries that were accepted, and their attempts",
      from: "webhook_attempts",
      text: ({
        webhook_attempts,
      }) => `WITH attempt AS (INSERT INTO webhook_attempts (${webhook_attempts}) SELECT ${webhook_attempts} FROM s ORDER BY n)
        UPDATE webhook_deliveries t SET status = 'succeeded', next_attempt_at = NULL, attempt_count = 1, claim_id = NULL, lease_until = NULL, completed_at = s.created_at FROM s WHERE t.org_id = s.org_id AND t.id = s.delivery_id`,
    },
  ],
];

/**
 * Writes the rows that the server left a second time, into a database as empty as the server's was, with the same
 * indexes, foreign keys and triggers: two connections, 2,000 rows a statement, a commit each. Nothing is read, decided,
 * rendered or sent. Rows that the server removed again, such as the staged rows of a file, are left out. Reading the
 * rows into the staging tables is not measured.
 * @param beside other work that is done meanwhile, and that the measured time includes
 */
export async function bareRun(
  servedUrl: string,
  bareUrl: string,
  orgId: Organisation["orgId"],
  beside = async (): Promise<unknown> => undefined,
) {
  // As on the server's connections: a plan that was made while a table was empty would read all of it when it is large.
  const [served, ...clients] = [servedUrl, ...lanes.map(() => bareUrl)].map(
    (url) => new pg.Client({ connectionString: url, options: "-c enable_seqscan=off" }),
  );
  await Promise.all([served!, ...clients].map((client) => client.connect()));
  const columns = await stage(served!, clients[0]!, orgId);
  const parts: Record<string, number> = {};
  const [started, timeBefore] = [performance.now(), postgresTime()];
  await Promise.all([
    beside(),
    ...lanes.map(async (writes, i) => {
      for (const write of writes) {
        const begun = performance.now();
        await inChunks(clients[i]!, write, columns);
        parts[write.name] = (performance.now() - begun) / 1000;
      }
    }),
  ]);
  const [seconds, time] = [(performance.now() - started) / 1000, postgresTime() - timeBefore];
  await Promise.all([served!, ...clients].map((client) => client.end()));
  return { seconds, parts, postgresTime: time };
}

/** Copies the rows of the organisation into unlogged tables of the bare database. @returns the columns of each table */
async function stage(served: pg.Client, bare: pg.Client, orgId: Organisation["orgId"]): Promise<Record<Table, string>> {
  const columns = {} as Record<Table, string>;
  await bare.query("SET max_parallel_workers_per_gather = 0");
  for (const table of tables) {
    const { rows } = await bare.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
      [table],
    );
    columns[table] = rows.map(({ name }) => name).join(", ");
    await bare.query(
      `CREATE UNLOGGED TABLE staged_${table} AS SELECT ${columns[table]} FROM ${table} WITH NO DATA; ALTER TABLE staged_${table} ADD n bigserial`,
    );
    // The rows that the preparation wrote are there already.
    await carry(
      served,
      `SELECT ${columns[table]} FROM ${table} WHERE org_id = '${orgId}' ORDER BY ${order[table]}`,
      bare,
      `staged_${table} (${columns[table]})`,
    );
    const key = keys[table];
    if (key) await bare.query(`DELETE FROM staged_${table} s USING ${table} t WHERE t.org_id = s.org_id AND ${key}`);
    await bare.query(`CREATE INDEX ON staged_${table} (n); ANALYZE staged_${table}`);
  }
  await bare.query("CREATE INDEX ON staged_webhook_deliveries (event_id)");
  for (const parent of ["policy_runs", "bulk_jobs"])
    await carry(served, `SELECT * FROM ${parent} WHERE org_id = '${orgId}'`, bare, parent);
  await bare.query("CHECKPOINT");
  return columns;
}

/** Copies rows from one database into a table of another, through a file, since both are on this machine. */
async function carry(from: pg.Client, rows: string, to: pg.Client, table: string): Promise<void> {
  const file = join(tmpdir(), `bonafide-bench-${randomUUID()}`);
  await from.query(`COPY (${rows}) TO '${file}' (FORMAT binary)`);
  await to.query(`COPY ${table} FROM '${file}' (FORMAT binary)`);
  rmSync(file, { force: true });
}

const order: Record<Table, string> = {
  subjects: "id",
  subject_sources: "subject_id",
  connector_changes: "run_id, subject_id",
  credentials: "id",
  credential_history: "id",
  policy_removals: "run_id, subject_id",
  bulk_rows: "job_id, index",
  events: "id",
  event_log: "sequence",
  webhook_deliveries: "sequence",
  webhook_attempts: "id",
};

const byId = "t.id = s.id";
const keys: Partial<Record<Table, string>> = {
  subjects: byId,
  subject_sources: "t.subject_id = s.subject_id AND t.type = s.type AND t.source_id = s.source_id",
  credentials: byId,
  credential_history: byId,
  events: byId,
  event_log: byId,
};

async function inChunks(client: pg.Client, { from, text }: Write, columns: Record<Table, string>): Promise<void> {
  const { rows } = await client.query<{ last: number | null }>(`SELECT max(n)::int AS last FROM staged_${from}`);
  const name = `write-${randomUUID()}`;
  for (let at = 0; at < (rows[0]!.last ?? 0); at += chunk)
    await client.query({
      name,
      text: `WITH s AS (SELECT * FROM staged_${from} WHERE n > $1 AND n <= $2) ${text(columns).replace(/^WITH /, ", ")}`,
      values: [at, at + chunk],
    });
}
