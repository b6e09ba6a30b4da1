import { beforeAll, expect, it } from "vitest";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { ownDatabase } from "@/server/testing/own-database";
import { world } from "@/server/testing/world";
import { sql } from "./db";

beforeAll(ownDatabase);

const known = async () =>
  (await sql<{ rows: number }>(`SELECT reltuples::int AS rows FROM pg_class WHERE oid = 'subjects'::regclass`))[0]!
    .rows;

it("analyses a table when the rows that this process wrote to it have doubled", async () => {
  const { ctx } = await world();
  // Otherwise autovacuum would analyse it too, a minute later.
  await sql(`ALTER TABLE subjects SET (autovacuum_enabled = off)`);
  const load = (from: number, rows: number) =>
    bulkUpsertSubjects(ctx, { items: Array.from({ length: rows }, (_, i) => ({ externalId: `s-${from + i}` })) });
  await load(0, 999);
  expect(await known()).toBe(-1);
  await load(999, 1);
  while ((await known()) !== 1000);
  await load(1000, 1000);
  while ((await known()) !== 2000);
});
