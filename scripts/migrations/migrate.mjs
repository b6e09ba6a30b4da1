import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { Failure } from "../launch/failure.mjs";
import { watchSession } from "./migration-watch.mjs";
import { isChecksumOf, migrationsOf } from "./migrations.mjs";
import { statementsOf, withoutComments } from "./sql-statements.mjs";

// The advisory lock that Prisma's own tools take while they migrate.
const migrationLock = 72_707_369;

/**
 * How long a migration waits for a lock. Statements that need the same table queue up behind it, so each wait is short,
 * and the migration is tried again until the patience ends.
 */
const lockTimeoutMs = 2_000;
const lockPatienceMs = 5 * 60_000;
const longestPauseMs = 10_000;

/** How often the progress of an index build is reported. */
const progressMs = 5_000;

/** Errors after which a migration is tried again: a lock that was not available in time, a deadlock. */
const lockErrors = ["55P03", "40P01"];

/**
 * Applies the migrations that the database lacks. Each runs in one transaction with its record in `_prisma_migrations`,
 * so a failed or aborted one leaves nothing behind. A migration that begins with `-- no-transaction` runs statement by
 * statement. Its record counts the completed statements, and the next start continues after them. Several processes may
 * migrate at once: one does, the others wait.
 *
 * @param {string} databaseUrl
 * @param {{ migrations?: import("./migrations.mjs").Migration[], doing?: (text: string) => void, lockTimeoutMs?:
 * number, lockPatienceMs?: number, progressMs?: number }} [options]
 * @returns {Promise<{ applied: string[], total: number }>}
 * @throws Failure if the database cannot be migrated, with a message for the operator
 */
export async function migrate(databaseUrl, options = {}) {
  const settings = {
    migrations: migrationsOf(),
    doing: () => {},
    lockTimeoutMs,
    lockPatienceMs,
    progressMs,
    ...options,
  };
  const client = new pg.Client({ connectionString: databaseUrl });
  // If the connection is lost between two statements, the next one fails.
  client.on("error", () => {});
  await client.connect();
  try {
    const watch = await watchSession(databaseUrl, client);
    try {
      return await applyMissing({ client, watch, ...settings });
    } finally {
      await watch.end();
    }
  } finally {
    await client.end();
  }
}

async function applyMissing(session) {
  const { client, migrations, doing } = session;
  // The role's own timeout would abort the build of a large index.
  await client.query("SET statement_timeout = 0");
  await lock(client, doing);
  const records = await recorded(client);
  const missing = lackingOf(migrations, records);
  for (const [index, migration] of missing.entries()) {
    const place = `applying ${migration.name} (${index + 1} of ${missing.length})`;
    doing(place);
    const within = { ...session, doing: (text) => doing(`${place}: ${text}`) };
    await (migration.transaction
      ? applyAtOnce(within, migration)
      : applyByStatement(
          within,
          migration,
          records.find(({ name }) => name === migration.name),
        ));
  }
  await preparePartitions(session);
  return { applied: missing.map(({ name }) => name), total: migrations.length };
}

/** Creates a partition for this week before its first event. The retention job creates later ones. */
async function preparePartitions(session) {
  const { client } = session;
  const { rows } = await client.query(`SELECT to_regprocedure('prepare_partitions(timestamptz)') IS NOT NULL AS known`);
  if (rows[0].known) await withLockTimeout(session, () => client.query("SELECT prepare_partitions(now())"));
}

/**
 * Takes the lock by polling. A session that waits within `pg_advisory_lock` holds a snapshot. CREATE INDEX CONCURRENTLY
 * in the process that has the lock would wait for that snapshot: a deadlock.
 */
async function lock(client, doing) {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS taken", [migrationLock]);
    if (rows[0].taken) return;
    if (attempt === 1) doing("waiting for another process that migrates");
    await wait(200);
  }
}

async function recorded(client) {
  const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  if (!rows[0].present) {
    await refuseForeignTables(client);
    await client.query(recordTable);
    return [];
  }
  const records = await client.query(
    'SELECT id, migration_name AS name, checksum, finished_at IS NOT NULL AS finished, applied_steps_count AS steps FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
  );
  return records.rows;
}

async function refuseForeignTables(client) {
  const { rows } = await client.query(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1 LIMIT 3",
  );
  if (rows.length > 0)
    throw new Failure(
      `The database is not empty, and what is in it is not Bonafide's (tables such as ${rows.map(({ name }) => name).join(", ")}).`,
      "give Bonafide a database of its own, for example: createdb bonafide; and name it in DATABASE_URL.",
    );
}

function lackingOf(migrations, records) {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const unknown = records
    .map(({ name }) => name)
    .filter((name) => !known.has(name))
    .sort();
  refuseUnreleased(migrations, unknown);
  if (unknown.length > 0)
    throw new Failure(
      `The database is newer than this version of Bonafide: it holds ${unknown.length === 1 ? "a migration" : "migrations"} that this version does not know: ${unknown.join(", ")}.`,
      "start the version of Bonafide that was used last, or a newer one; or restore a backup from before that migration.",
    );
  refuseEdited(known, records);
  const stuck = records.find(({ name, finished }) => !finished && known.get(name).transaction);
  if (stuck)
    throw new Failure(
      `Another tool began the migration ${stuck.name} in this database and did not finish it.`,
      `see what of it is there and undo that, then say so with: npx prisma migrate resolve --config prisma/prisma.config.ts --rolled-back ${stuck.name}`,
    );
  const present = new Set(records.filter(({ finished }) => finished).map(({ name }) => name));
  return migrations.filter(({ name }) => !present.has(name));
}

/**
 * Before the first release, the earlier migrations were merged into one. A database with the earlier ones cannot be
 * distinguished from a half-migrated one.
 */
function refuseUnreleased(migrations, unknown) {
  const [oldest] = unknown.filter((name) => name < migrations[0].name);
  if (oldest)
    throw new Failure(
      `A version of Bonafide from before the first release made this database (its first migration is ${oldest}). This version cannot bring it up to date. Nothing was changed.`,
      beginAnew,
    );
}

const beginAnew =
  "start with an empty database. If DATABASE_URL is set, make a new database and name it there. Otherwise stop Bonafide and move the data directory away (.data, or the folder of DATA_DIR). To keep using the old data, go back to the version of Bonafide that made it.";

/**
 * The foundation is edited until the first release, but keeps its name. A database from another version of its text has
 * another structure than this version expects. An unfinished one may have another text, because it is run again.
 */
function refuseEdited(known, records) {
  const edited = records.find(
    ({ name, finished, checksum }) => finished && !isChecksumOf(checksum, known.get(name).sql),
  );
  if (edited)
    throw new Failure(
      `This database was made with another text of the migration ${edited.name} than this version of Bonafide has, so its structure is another one. Nothing was changed.`,
      `${beginAnew} If you edited prisma/migrations/${edited.name} yourself, put it back as it was.`,
    );
}

/** Runs in one transaction with its record, again as long as other sessions hold a lock that it needs. */
async function applyAtOnce(session, { name, sql, checksum }) {
  const { client } = session;
  await withLockTimeout(session, async () => {
    try {
      await client.query("BEGIN");
      await client.query(sql);
      await client.query(
        'INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, clock_timestamp(), 1)',
        [randomUUID(), checksum, name],
      );
      await client.query("COMMIT");
    } catch (cause) {
      await client.query("ROLLBACK").catch(() => {});
      throw cause;
    }
  }).catch((cause) => {
    const line = cause.position
      ? `, line ${sql.slice(0, Number(cause.position)).split("\n").length} of its migration.sql`
      : "";
    throw migrationFailure(
      cause,
      session.watch,
      `The migration ${name} failed${line}. All of it was undone; the database is as it was before.`,
      "the migration is tried anew. Nothing has to be cleaned up.",
    );
  });
}

/**
 * Runs statement by statement. Statements that were completed before a failure are not repeated unless the file has
 * changed.
 */
async function applyByStatement(session, { name, sql, checksum }, begun) {
  const { client } = session;
  const id = begun?.id ?? randomUUID();
  if (!begun)
    await client.query('INSERT INTO "_prisma_migrations" (id, checksum, migration_name) VALUES ($1, $2, $3)', [
      id,
      checksum,
      name,
    ]);
  const doneBefore = begun?.checksum === checksum ? begun.steps : 0;
  const statements = statementsOf(sql);
  for (const [index, statement] of statements.entries()) {
    if (index < doneBefore) continue;
    const place = `statement ${index + 1} of ${statements.length}`;
    await run({ ...session, doing: (text) => session.doing(`${place}, ${text}`) }, statement.text).catch((cause) => {
      const line =
        statement.line + (cause.position ? statement.text.slice(0, Number(cause.position)).split("\n").length - 1 : 0);
      const done = index === 0 ? "Nothing was done before it." : "What was done before it stays.";
      throw migrationFailure(
        cause,
        session.watch,
        `The migration ${name} failed at ${place}, line ${line} of its migration.sql. ${done}`,
        "the migration goes on with this statement. Nothing has to be cleaned up.",
      );
    });
    await client.query('UPDATE "_prisma_migrations" SET applied_steps_count = $2, checksum = $3 WHERE id = $1', [
      id,
      index + 1,
      checksum,
    ]);
  }
  await client.query(
    'UPDATE "_prisma_migrations" SET finished_at = clock_timestamp(), applied_steps_count = $2, checksum = $3 WHERE id = $1',
    [id, statements.length, checksum],
  );
}

async function run(session, statement) {
  const { client, watch, doing } = session;
  const bare = withoutComments(statement);
  // CREATE INDEX CONCURRENTLY waits for other transactions, which do not wait for it, so there is no reason to give up.
  if (!/\bCONCURRENTLY\b/i.test(bare)) return withLockTimeout(session, () => client.query(statement));
  const index = /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+([^\s(]+)/i.exec(bare)?.[1];
  await client.query("SET lock_timeout = 0");
  if (index) await dropInvalid(client, index);
  const stop = watch.tell(doing, session.progressMs);
  try {
    await client.query(statement);
  } catch (cause) {
    // An INVALID index is not read, but it is written to, and an INVALID UNIQUE index already refuses rows.
    if (index) await dropInvalid(client, index).catch(() => {});
    throw cause;
  } finally {
    await stop();
  }
}

/**
 * Returns the index that a failed or aborted CREATE INDEX CONCURRENTLY left behind. IF NOT EXISTS would mistake it for
 * a valid one.
 */
async function dropInvalid(client, index) {
  const { rowCount } = await client.query(
    "SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid",
    [index],
  );
  if (rowCount > 0) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
}

/**
 * Runs `work` with a limit on each wait for a lock, and repeats it after a pause until it succeeds or the patience
 * ends.
 *
 * @throws the last error
 */
async function withLockTimeout({ client, watch, doing, lockTimeoutMs: timeout, lockPatienceMs: patience }, work) {
  const until = performance.now() + patience;
  await client.query("SELECT set_config('lock_timeout', $1, false)", [`${timeout}ms`]);
  for (let attempt = 1; ; attempt++) {
    const stop = watch.noteBlockers();
    try {
      return await work();
    } catch (cause) {
      const pause = Math.min(longestPauseMs, 250 * 2 ** attempt);
      if (!lockErrors.includes(cause.code) || performance.now() + pause > until) throw cause;
      doing(
        `waiting for a lock (attempt ${attempt})${watch.blockers.length > 0 ? `, held by ${watch.blockers.join("; ")}` : ""}`,
      );
      await wait(pause);
    } finally {
      await stop();
    }
  }
}

const contrib =
  "install PostgreSQL's contrib extensions (on Debian they are part of postgresql; elsewhere the package is often postgresql-contrib), and start again.";

function migrationFailure(cause, watch, wrong, next) {
  const locked =
    "end the transactions that hold the lock (pg_terminate_backend ends one by its pid), or wait until they end, and start again.";
  const todo = {
    42501:
      "let the user of DATABASE_URL do this: the first migration makes the extensions pg_trgm, unaccent and btree_gin, which a superuser can also make beforehand with CREATE EXTENSION. Then start again.",
    "0A000": contrib,
    "58P01": contrib,
    "55P03": locked,
    "40P01": locked,
  }[cause.code];
  const holders = lockErrors.includes(cause.code) ? watch.blockers.map((each) => `Held by ${each}`) : [];
  return new Failure(wrong, todo ?? `put right what PostgreSQL says and start again: ${next}`, {
    detail: [cause.message, cause.detail, cause.hint, ...holders].filter(Boolean).join("\n"),
    cause,
  });
}

// The same table that Prisma creates, so that its own tools can read it.
const recordTable = `
  CREATE TABLE "_prisma_migrations" (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;
