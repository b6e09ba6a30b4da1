import type pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SilentDatabase } from "@/server/testing/silent-database";
import { asBackground, createBoundedPool, createQueuePool, pool } from "./db";
import { transaction } from "./transaction";
import { unavailable } from "./unavailable";

let database: SilentDatabase;
let connections: pg.Pool;

beforeEach(async () => {
  database = await SilentDatabase.before(process.env["DATABASE_URL"]!);
  connections = createQueuePool(database.url, 1000);
});

afterEach(async () => {
  await connections.end();
  database.close();
});

const backend = async () => (await connections.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]!.pid;

it("a statement of a queue times out if the database vanished silently, and the next one uses a new connection", async () => {
  const before = await backend();
  database.silence();
  await expect(backend()).rejects.toThrow("Query read timeout");
  expect(await backend()).not.toBe(before);
  expect(connections.totalCount).toBe(1);
});

it("a transaction of a queue times out if the database vanished silently, and the next one uses a new connection", async () => {
  const before = await backend();
  const vanishing = transaction(async (tx) => {
    await tx.sql("SELECT 1");
    database.silence();
    tx.send("SELECT 2");
    await tx.last("SELECT 3");
  }, connections);
  await expect(vanishing).rejects.toThrow("Query read timeout");
  expect(await backend()).not.toBe(before);
  expect(connections.totalCount).toBe(1);
});

it("a statement that takes too long is cancelled by PostgreSQL, becomes unavailable, and keeps its connection", async () => {
  const bounded = createBoundedPool(database.url, 1, 200);
  const pid = async () => (await bounded.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]!.pid;
  const before = await pid();
  const slow = transaction(async (tx) => tx.sql("SELECT pg_sleep(30)"), bounded);
  expect(unavailable(await slow.catch((error: unknown) => error))).toMatchObject({ code: "unavailable" });
  expect(await pid()).toBe(before);
  await bounded.end();
});

it("jobs have separate connections and a longer time limit", async () => {
  const timeout = async () =>
    (await pool().query<{ statement_timeout: string }>("SHOW statement_timeout")).rows[0]!.statement_timeout;
  expect([await timeout(), await asBackground(timeout)]).toEqual(["15s", "10min"]);
});
