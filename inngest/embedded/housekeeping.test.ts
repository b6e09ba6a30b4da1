import { afterAll, expect, test } from "vitest";
import { closeDb, pool } from "@/server/core/db";
import { TestApp } from "../testing/app";
import { purge } from "./housekeeping";
import { openStore } from "./store";

afterAll(closeDb);

test("purging removes runs and event ids past their retention and keeps the rest", async () => {
  const app = new TestApp();
  const insert = (name: string, state: string, finished: string | null, due = "now()") =>
    pool().query(
      `INSERT INTO engine_runs (function_id, event, state, due_at, created_at, finished_at)
       VALUES ($1, '{}', $2, ${due}, now(), now() - $3::interval)`,
      [`${app.id}-${name}`, state, finished],
    );
  await insert("succeeded-long-ago", "succeeded", "25 hours");
  await insert("succeeded-today", "succeeded", "23 hours");
  await insert("failed-long-ago", "failed", "15 days");
  await insert("failed-lately", "failed", "13 days");
  await insert("unknown", "queued", null, "now() - interval '8 days'");
  await insert("waiting", "queued", null, "now() - interval '6 days'");
  await insert("due-next-month", "queued", null, "now() + interval '30 days'");
  await pool().query(
    `INSERT INTO engine_steps (run_id, id, position, result) SELECT id, 'step', 1, '{"type":"data","data":1}' FROM engine_runs WHERE function_id = $1`,
    [`${app.id}-succeeded-long-ago`],
  );
  await pool().query(
    `INSERT INTO engine_event_ids VALUES ($1, now() - interval '25 hours'), ($2, now() - interval '23 hours')`,
    [`${app.id} old`, `${app.id} new`],
  );
  const store = openStore(pool(), undefined);
  await purge(store);
  await store.work.end();
  const left = Object.fromEntries((await app.runs()).map((run) => [run.functionId, run.state]));
  expect(left).toEqual({
    "succeeded-today": "succeeded",
    "failed-lately": "failed",
    unknown: "failed",
    waiting: "queued",
    "due-next-month": "queued",
  });
  const ids = await pool().query(`SELECT id FROM engine_event_ids WHERE starts_with(id, $1)`, [app.id]);
  expect(ids.rows).toEqual([{ id: `${app.id} new` }]);
});
