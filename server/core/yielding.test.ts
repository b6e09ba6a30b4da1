import { getPriority } from "node:os";
import type pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { asBackground, closeDb, pool, queuePool } from "./db";

beforeAll(() => vi.stubEnv("EMBEDDED_DATABASE", "1"));
afterAll(async () => {
  await closeDb();
  vi.unstubAllEnvs();
});

const niceValueOf = async (connections: pg.Pool) => {
  const { rows } = await connections.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return getPriority(rows[0]!.pid);
};

it("in the embedded PostgreSQL, the connections of queues and jobs yield to those of requests", async () => {
  const requests = await niceValueOf(pool());
  expect(await niceValueOf(queuePool())).toBe(requests + 5);
  expect(await niceValueOf(asBackground(pool))).toBe(requests + 5);
});
