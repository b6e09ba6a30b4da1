import { randomUUID } from "node:crypto";
import pg from "pg";
import { Failure } from "./failure.mjs";
import { migrationsOf } from "./migrations.mjs";

// The advisory lock that Prisma's own tools take while they migrate.
const migrationLock = 72_707_369;

/**
 * Applies what the database lacks of `migrations`, each in one transaction with its record in `_prisma_migrations`, so
 * that one that fails or is cut off leaves nothing behind and is tried anew. Several processes may do so at once.
 * @param {string} databaseUrl
 * @param {{ migrations?: ReturnType<typeof migrationsOf>, doing?: (text: string) => void }} [options]
 * @returns {Promise<{ applied: string[], total: number }>}
 */
export async function migrate(databaseUrl, { migrations = migrationsOf(), doing = () => {} } = {}) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    const missing = lackingOf(migrations, await recorded(client));
    for (const [index, migration] of missing.entries()) {
      doing(`applying ${migration.name} (${index + 1} of ${missing.length})`);
      await apply(client, migration);
    }
    return { applied: missing.map(({ name }) => name), total: migrations.length };
  } finally {
    await client.end();
  }
}

async function recorded(client) {
  const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  if (!rows[0].present) {
    await refuseForeignTables(client);
    await client.query(recordTable);
    return [];
  }
  return (await client.query('SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM "_prisma_migrations" WHERE rolled_back_at IS NULL')).rows;
}

async function refuseForeignTables(client) {
  const { rows } = await client.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1 LIMIT 3");
  if (rows.length > 0)
    throw new Failure(
      `The database is not empty, and what is in it is not Bonafide's (tables such as ${rows.map(({ name }) => name).join(", ")}).`,
      "give Bonafide a database of its own, for example: createdb bonafide; and name it in DATABASE_URL.",
    );
}

function lackingOf(migrations, records) {
  const known = new Set(migrations.map(({ name }) => name));
  const newer = records.map(({ name }) => name).filter((name) => !known.has(name)).sort();
  if (newer.length > 0)
    throw new Failure(
      `The database is newer than this version of Bonafide: it holds ${newer.length === 1 ? "a migration" : "migrations"} that this version does not know: ${newer.join(", ")}.`,
      "start the version of Bonafide that was used last, or a newer one; or restore a backup from before that migration.",
    );
  const stuck = records.find(({ finished }) => !finished);
  if (stuck)
    throw new Failure(
      `Another tool began the migration ${stuck.name} in this database and did not finish it.`,
      `see what of it is there and undo that, then say so with: npx prisma migrate resolve --config prisma/prisma.config.ts --rolled-back ${stuck.name}`,
    );
  const present = new Set(records.map(({ name }) => name));
  return migrations.filter(({ name }) => !present.has(name));
}

async function apply(client, { name, sql, checksum }) {
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
    throw migrationFailure(name, sql, cause);
  }
}

function migrationFailure(name, sql, cause) {
  const line = cause.position ? `, line ${sql.slice(0, Number(cause.position)).split("\n").length} of its migration.sql` : "";
  const todo = {
    42501: "let the user of DATABASE_URL do this: the first migration makes the extensions pg_trgm, unaccent and btree_gin, which a superuser can also make beforehand with CREATE EXTENSION. Then start again.",
    "0A000": "install PostgreSQL's contrib extensions (on Debian they are part of postgresql; elsewhere the package is often postgresql-contrib), and start again.",
    "58P01": "install PostgreSQL's contrib extensions (on Debian they are part of postgresql; elsewhere the package is often postgresql-contrib), and start again.",
  }[cause.code];
  return new Failure(
    `The migration ${name} failed${line}. All of it was undone; the database is as it was before.`,
    todo ?? "put right what PostgreSQL says and start again: the migration is tried anew. Nothing has to be cleaned up.",
    { detail: [cause.message, cause.detail, cause.hint].filter(Boolean).join("\n"), cause },
  );
}

// As Prisma makes it, so that its own tools read it.
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
