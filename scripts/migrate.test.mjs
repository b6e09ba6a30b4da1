import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "./migrate.mjs";
import { migrationsOf } from "./migrations.mjs";

const migration = (name, sql) => ({ name, sql, checksum: "0".repeat(64) });
const first = migration("001_first", "CREATE TABLE things (id int PRIMARY KEY); -- a ; in a comment\nINSERT INTO things VALUES (1)");
const second = migration("002_second", "INSERT INTO things VALUES (2)");

let admin, url, db;

async function query(text) {
  return (await db.query(text)).rows;
}

beforeAll(async () => {
  admin = new pg.Client(process.env.DATABASE_URL);
  await admin.connect();
});
afterAll(() => admin.end());

beforeEach(async () => {
  const name = `migrate_${randomUUID().replaceAll("-", "")}`;
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  url = Object.assign(new URL(process.env.DATABASE_URL), { pathname: `/${name}` }).href;
  db = new pg.Client(url);
  await db.connect();
  return async () => {
    await db.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  };
});

describe("migrate", () => {
  test("applies what is missing, in order and once", async () => {
    expect(await migrate(url, { migrations: [first] })).toEqual({ applied: ["001_first"], total: 1 });
    expect(await migrate(url, { migrations: [first, second] })).toEqual({ applied: ["002_second"], total: 2 });
    expect(await migrate(url, { migrations: [first, second] })).toEqual({ applied: [], total: 2 });
    expect(await query("SELECT id FROM things ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test("leaves records as Prisma's own tools read them", async () => {
    await migrate(url, { migrations: migrationsOf() });
    const records = await query("SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, rolled_back_at, applied_steps_count AS steps FROM _prisma_migrations ORDER BY 1");
    expect(records).toEqual(migrationsOf().map(({ name, checksum }) => ({ name, checksum, finished: true, rolled_back_at: null, steps: 1 })));
  });

  test("applies each once where several processes start together", async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => migrate(url, { migrations: [first, second] })));
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(["001_first", "002_second"]);
  });

  test("undoes one that fails, names it with its line, and tries it anew the next time", async () => {
    const broken = migration("002_broken", "INSERT INTO things VALUES (3);\nINSERT INTO nothing VALUES (1)");
    await expect(migrate(url, { migrations: [first, broken] })).rejects.toMatchObject({
      name: "Failure",
      message: expect.stringMatching(/002_broken failed, line 2/),
      detail: expect.stringMatching(/"nothing" does not exist/),
    });
    expect(await query("SELECT id FROM things")).toEqual([{ id: 1 }]);
    expect(await migrate(url, { migrations: [first, { ...broken, sql: second.sql }] })).toMatchObject({ applied: ["002_broken"] });
  });

  test("keeps nothing of one whose record cannot be written", async () => {
    const unrecordable = { ...second, name: `002_${"x".repeat(300)}` };
    await expect(migrate(url, { migrations: [first, unrecordable] })).rejects.toThrow(/failed/);
    expect(await query("SELECT id FROM things")).toEqual([{ id: 1 }]);
  });

  test("refuses a database that is newer, naming what it does not know", async () => {
    await migrate(url, { migrations: [first, second] });
    await expect(migrate(url, { migrations: [first] })).rejects.toMatchObject({ message: expect.stringMatching(/newer .* 002_second/) });
  });

  test("refuses a database of something else", async () => {
    await query("CREATE TABLE customers (id int)");
    await expect(migrate(url, { migrations: [first] })).rejects.toMatchObject({ message: expect.stringMatching(/not empty.*customers/) });
    expect(await query("SELECT to_regclass('_prisma_migrations') AS records")).toEqual([{ records: null }]);
  });

  test("refuses one that another tool left unfinished, and goes on once that was resolved", async () => {
    await migrate(url, { migrations: [first] });
    await query("INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '002_second')");
    await expect(migrate(url, { migrations: [first, second] })).rejects.toMatchObject({ message: expect.stringMatching(/did not finish/), todo: expect.stringMatching(/--rolled-back 002_second/) });
    await query("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '002_second'");
    expect(await migrate(url, { migrations: [first, second] })).toMatchObject({ applied: ["002_second"] });
  });
});
