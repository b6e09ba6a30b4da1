import { randomBytes } from "node:crypto";
import pg from "pg";
import { closeDb } from "@/server/core/db";

/**
 * Gives a test file its own database, because the code that it tests works through the queues of all organisations.
 * Call it in `beforeAll`, before anything reads the configuration. The function that it returns drops the database,
 * which is a copy of one that vitest-setup.mjs migrated.
 */
export async function ownDatabase(): Promise<() => Promise<void>> {
  const shared = process.env["DATABASE_URL"]!;
  const name = `own_${randomBytes(8).toString("hex")}`;
  const own = new URL(shared);
  own.pathname = `/${name}`;
  await administer(shared, `CREATE DATABASE ${name} TEMPLATE ${process.env["TEMPLATE_DATABASE"]!} STRATEGY file_copy`);
  process.env["DATABASE_URL"] = own.href;
  return async () => {
    await closeDb();
    await administer(shared, `DROP DATABASE ${name} WITH (FORCE)`);
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
