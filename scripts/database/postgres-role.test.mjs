import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { openEmbedded } from "./database.mjs";
import { migrate } from "../migrations/migrate.mjs";

const folder = mkdtempSync(join(tmpdir(), "role-"));
afterAll(() => rmSync(folder, { recursive: true }));
const open = () => openEmbedded(folder, { doing: () => {} });

async function query(connectionString, text) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
const rights = (url) =>
  query(
    url,
    "SELECT current_user AS name, rolsuper AS superuser, rolcreaterole OR rolcreatedb AS creates FROM pg_roles WHERE rolname = current_user",
  );

test("the service is no superuser in the embedded PostgreSQL but can use all tables, a password is required, and an older cluster is upgraded", {
  timeout: 120_000,
}, async () => {
  const database = await open();
  await migrate(database.ownerUrl);
  expect(await rights(database.url)).toEqual([{ name: "bonafide_app", superuser: false, creates: false }]);
  for (const refused of [
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "CREATE TABLE mine (id int)",
    "ALTER TABLE organisations ADD COLUMN x int",
    "SELECT pg_read_file('postgresql.conf')",
  ])
    await expect(query(database.url, refused)).rejects.toThrow(/permission denied|must be owner/);
  expect(
    await query(
      database.url,
      "INSERT INTO users (id, email, name) VALUES ('00000000-0000-7000-8000-000000000001', 'ada@example.edu', 'Ada') RETURNING id",
    ),
  ).toEqual([{ id: "00000000-0000-7000-8000-000000000001" }]);
  expect(
    await query(database.url, "SELECT count(*)::int AS n FROM _prisma_migrations WHERE finished_at IS NULL"),
  ).toEqual([{ n: 0 }]);
  await query(database.ownerUrl, "CREATE TABLE later (id serial)");
  expect(await query(database.url, "INSERT INTO later DEFAULT VALUES RETURNING id")).toEqual([{ id: 1 }]);
  await query(database.url, "ANALYZE later");

  await query(database.url, "SELECT prepare_partitions(now() + interval '70 days')");
  const expired = "SELECT drop_expired_partition(now() + interval '7 days', now(), now()) AS name";
  expect(await query(database.url, expired)).toEqual([{ name: expect.stringMatching(/^event_log_\d{8}$/) }]);
  await expect(query(database.ownerUrl, `CREATE ROLE other; SET ROLE other; ${expired}`)).rejects.toThrow(
    "permission denied for function drop_expired_partition",
  );

  for (const url of [database.url, database.ownerUrl]) {
    const guessed = new URL(url);
    guessed.password = "guessed";
    await expect(query(guessed.href, "SELECT 1")).rejects.toThrow(/password authentication failed/);
  }
  const settings = await query(
    database.ownerUrl,
    "SELECT current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets",
  );
  expect(settings).toEqual([{ addresses: "127.0.0.1", sockets: "" }]);
  const access = join(folder, "postgres.json");
  expect(statSync(access).mode & 0o077).toBe(0);

  await query(database.ownerUrl, "DROP OWNED BY bonafide_app; DROP ROLE bonafide_app");
  const { applicationPassword: _, ...older } = JSON.parse(readFileSync(access, "utf8"));
  writeFileSync(access, JSON.stringify(older));
  const upgraded = await open();
  expect(await rights(upgraded.url)).toMatchObject([{ superuser: false }]);
  expect(await query(upgraded.url, "SELECT id FROM users")).toEqual([{ id: "00000000-0000-7000-8000-000000000001" }]);
  await upgraded.close();
});
