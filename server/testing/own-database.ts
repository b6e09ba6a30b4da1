import { randomUUID } from "node:crypto";
import pg from "pg";
import { migrate } from "@/scripts/migrate.mjs";
import { closeDb } from "@/server/core/db";

/**
 * An empty, migrated database for a test file of what a whole service has once: its first set-up, its list of organisations.
 * For `beforeAll(ownDatabase)`, before anything reads the configuration; what it returns removes the database at the end.
 */
export async function ownDatabase(): Promise<() => Promise<void>> {
  const shared = process.env["DATABASE_URL"]!;
  const name = `own_${randomUUID().replaceAll("-", "")}`;
  await run(shared, `CREATE DATABASE ${name}`);
  const url = new URL(shared);
  url.pathname = `/${name}`;
  await migrate(url.href);
  process.env["DATABASE_URL"] = url.href;
  return async () => {
    await closeDb();
    await run(shared, `DROP DATABASE ${name} WITH (FORCE)`);
  };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
