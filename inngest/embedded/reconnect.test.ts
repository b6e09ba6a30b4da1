import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { closeDb, pool } from "@/server/core/db";
import { env } from "@/server/core/env";
import { TestApp } from "../testing/app";

afterAll(closeDb);

test("after PostgreSQL cuts every connection, the engine continues and is notified by other engines again", async () => {
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

  // An engine of width 0 takes no runs, so the first engine must be notified of this one.
  await app.start([f], { width: 0 });
  await app.client.send({ name: "test/go" });
  await app.ended(3);
  expect(await engine.status()).toMatchObject({ ready: true });
  await app.stop();
  await own.end();
});
