import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { closeDb, pool } from "@/server/core/db";
import { env } from "@/server/core/env";
import { claimDue, type Room } from "./claim";
import type { Store } from "./store";

const work = new pg.Pool({ connectionString: env().DATABASE_URL, max: 8 });
const store: Store = { durable: pool(), work, now: () => null };
afterAll(async () => {
  await work.end();
  await closeDb();
});

async function queue(functionId: string, keys: (string | null)[]): Promise<void> {
  await pool().query(
    `INSERT INTO engine_runs (function_id, event, concurrency_key, due_at, created_at)
     SELECT $1, '{}', key, now() - interval '1 minute' + place * interval '1 millisecond', now() FROM unnest($2::text[]) WITH ORDINALITY AS k(key, place)`,
    [functionId, keys],
  );
}

const claim = (...rooms: Room[]) =>
  claimDue(store, { claimId: randomUUID(), leaseMs: 60_000, rooms, functionIds: rooms.map(({ id }) => id) });

test("concurrent claims take each run once and respect the concurrency limit of each key", async () => {
  for (let round = 0; round < 20; round++) {
    const id = `claim-${randomUUID()}`;
    await queue(id, [...Array(20).fill(`${id}:a`), ...Array(20).fill(`${id}:b`), ...Array(20).fill(null)]);
    const claimed = await Promise.all(Array.from({ length: 8 }, () => claim({ id, free: 60, limit: 2 })));
    const ids = claimed.flatMap(({ runs }) => runs.map((run) => run.id));
    expect(ids).toHaveLength(2 + 2 + 20);
    expect(new Set(ids).size).toBe(ids.length);
    await pool().query("DELETE FROM engine_runs WHERE function_id = $1", [id]);
  }
});

test("a claim takes the oldest runs of each function, as many as its room allows", async () => {
  const [one, other] = [`claim-${randomUUID()}`, `claim-${randomUUID()}`];
  await queue(one, Array(10).fill(null));
  await queue(other, Array(10).fill(null));
  const { runs } = await claim({ id: one, free: 3, limit: null }, { id: other, free: 1, limit: null });
  const oldest = async (id: string, count: number) =>
    (
      await pool().query<{ id: string }>("SELECT id FROM engine_runs WHERE function_id = $1 ORDER BY due_at LIMIT $2", [
        id,
        count,
      ])
    ).rows.map((row) => row.id);
  expect(runs.map((run) => run.id).toSorted()).toEqual(
    [...(await oldest(one, 3)), ...(await oldest(other, 1))].toSorted(),
  );
  await pool().query("DELETE FROM engine_runs WHERE function_id = ANY($1)", [[one, other]]);
});

test("a claim returns the time until the next run is due, also when it claimed runs", async () => {
  const id = `claim-${randomUUID()}`;
  await queue(id, [null, null]);
  await pool().query(
    `UPDATE engine_runs SET due_at = now() + interval '10 minutes' WHERE id = (SELECT max(id::text)::uuid FROM engine_runs WHERE function_id = $1)`,
    [id],
  );
  const { runs, nextInMs } = await claim({ id, free: 10, limit: null });
  expect(runs).toHaveLength(1);
  expect(nextInMs).toBeGreaterThan(540_000);
  expect(nextInMs).toBeLessThanOrEqual(600_000);
  await pool().query("DELETE FROM engine_runs WHERE function_id = $1", [id]);
});
