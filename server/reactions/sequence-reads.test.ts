import { afterAll, beforeAll, expect, it } from "vitest";
import { sequenceBatch } from "@/server/consumers";
import { ownDatabase } from "@/server/testing/own-database";
import { Meter } from "@/server/testing/set-statements/meter";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";

const types = ["subject.updated", "credential.updated", "name_confirmation.requested"];

let dropDatabase: () => Promise<void>;
let meter: Meter;
beforeAll(async () => {
  dropDatabase = await ownDatabase();
  meter = await Meter.start(process.env["DATABASE_URL"]!);
});
afterAll(async () => {
  await meter.end();
  await dropDatabase();
});

it("a process that starts while many events wait reads few others to number a batch", async () => {
  const { orgId } = await world();
  while ((await sequenceBatch()).events > 0);
  await sql(
    `INSERT INTO events (org_id, id, type, resource_id, body)
     SELECT $1, uuidv7(), ($2::text[])[1 + n % 3], uuidv7(), '{"n":1' FROM generate_series(1, 30000) AS n`,
    [orgId, types],
  );
  await sql(
    `INSERT INTO event_outbox (org_id, id, type, resource_id, created_at)
     SELECT org_id, id, type, resource_id, now() FROM events WHERE org_id = $1 AND body = '{"n":1'`,
    [orgId],
  );
  // With these statistics, PostgreSQL expects a batch of thousands of events.
  await sql("ANALYZE");
  const { rows } = await meter.reads(async () => {
    expect((await sequenceBatch(200)).events).toBe(200);
  });
  expect(rows).toBeLessThan(3_000);
});
