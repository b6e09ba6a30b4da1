import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { buildPublic } from "../build/build-public.mjs";
import { buildWorkers } from "../build/build-server.mjs";
import { migrate } from "../migrations/migrate.mjs";
import { temporaryDatabase } from "../database/temporary-database.mjs";

/**
 * Prepares one migrated database for all test files, each of which creates its own organisation. TEST_DATABASE_URL may
 * name an existing one. The variables reach the workers, which start afterwards.
 */
export async function setup() {
  await buildWorkers();
  await buildPublic((_, work) => work({ done: () => {} }));
  const temporary = process.env.TEST_DATABASE_URL ? undefined : await temporaryDatabase();
  const url = process.env.TEST_DATABASE_URL ?? temporary.url;
  await migrate(url);
  const template = await migratedTemplate(url);
  const folder = await mkdtemp(join(tmpdir(), "bonafide-tests-data-"));
  Object.assign(process.env, {
    DATABASE_URL: url,
    TEMPLATE_DATABASE: template.name,
    DATA_DIR: folder,
    DATABASE_POOL: process.env.DATABASE_POOL ?? "10",
    BONAFIDE_SECRET: "a-secret-of-the-tests-and-nothing-else",
    PUBLIC_URL: "http://localhost:3000",
    OUTBOUND_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
    OUTBOUND_ALLOW_HTTP: "1",
    LOG_LEVEL: process.env.LOG_LEVEL ?? "fatal",
  });
  return async () => {
    if (temporary) await temporary.close();
    else await template.drop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Creates a migrated database without connections, so that server/testing/own-database.ts can copy it. */
async function migratedTemplate(url) {
  const name = `template_${randomBytes(8).toString("hex")}`;
  const administer = async (statement) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await administer(`CREATE DATABASE ${name}`);
  const its = new URL(url);
  its.pathname = `/${name}`;
  await migrate(its.href);
  return { name, drop: () => administer(`DROP DATABASE ${name}`) };
}
