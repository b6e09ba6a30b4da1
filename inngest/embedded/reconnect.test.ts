import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { closeDb, pool } from "@/server/core/db";
import { env } from "@/server/core/env";
import { TestApp } from "../testing/app";

afterAll(closeDb);

test("works on after PostgreSQL has cut every connection of the engine, and is told of others' work again", async () => {
  const app = new TestApp();
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [{ event: "test/go" }] }, () => "done");
  const own = new pg.Pool({ connectionString: env().DATABASE_URL, application_name: app.id, max: 5 });
  own.on("error", () => undefined);
  const engine = await app.start([f], { pool: own });
  await app.client.send({ name: "test/go" });
  await app.ended(1);

  const cut = await pool().query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [
    app.id,
  ]);
  expect(cut.rowCount).toBeGreaterThanOrEqual(2);
  await app.client.send({ name: "test/go" });
  await app.ended(2);

  // An engine without room for runs leaves this one to the first.
  await app.start([f], { width: 0 });
  await app.client.send({ name: "test/go" });
  await app.ended(3);
  expect(await engine.status()).toMatchObject({ ready: true });
  await app.stop();
  await own.end();
});
