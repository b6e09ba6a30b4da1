import { afterAll, afterEach, expect, test } from "vitest";
import { closeDb } from "@/server/core/db";
import { TestApp } from "../testing/app";

let app = new TestApp();
afterEach(async () => {
  await app.stop();
  app = new TestApp();
});
afterAll(closeDb);

/** Counts concurrent calls by key, and keeps the highest count of each. */
function watch() {
  const now = new Map<string, number>();
  const most = new Map<string, number>();
  return {
    most,
    handler: async ({ event }: { event: { data: { key?: string } } }) => {
      const key = event.data.key ?? "";
      now.set(key, (now.get(key) ?? 0) + 1);
      most.set(key, Math.max(most.get(key) ?? 0, now.get(key)!));
      await new Promise((resolve) => setImmediate(resolve));
      now.set(key, now.get(key)! - 1);
    },
  };
}

test("with a limit of 1 per key, runs of one key never overlap, across several engines", async () => {
  const { most, handler } = watch();
  const f = app.client.createFunction(
    { id: "f", retries: 0, triggers: [{ event: "test/a" }], concurrency: [{ key: "event.data.key", limit: 1 }] },
    handler,
  );
  for (let i = 0; i < 3; i++) await app.start([f]);
  await app.client.send(Array.from({ length: 90 }, (_, i) => ({ name: "test/a", data: { key: `k${i % 3}` } })));
  const runs = await app.ended(90);
  expect(runs.every((run) => run.state === "succeeded")).toBe(true);
  expect(Object.fromEntries(most)).toEqual({ k0: 1, k1: 1, k2: 1 });
});

test("a limit on the function applies across all keys, and is fully used", async () => {
  const { most, handler } = watch();
  const both = Promise.withResolvers<void>();
  let running = 0;
  const f = app.client.createFunction(
    { id: "f", retries: 0, triggers: [{ event: "test/a" }], concurrency: 2 },
    async (context) => {
      if (++running === 2) both.resolve();
      await both.promise;
      await handler({ event: { data: {} } });
      return context.event.data;
    },
  );
  await app.start([f]);
  await app.start([f]);
  await app.client.send(Array.from({ length: 20 }, () => ({ name: "test/a" })));
  await app.ended(20);
  expect(most.get("")).toBe(2);
});

test("a key at its limit does not delay other keys", async () => {
  const stuck = Promise.withResolvers<void>();
  const f = app.client.createFunction(
    { id: "f", retries: 0, triggers: [{ event: "test/a" }], concurrency: { key: "event.data.key", limit: 1 } },
    ({ event }) => (event.data.key === "stuck" ? stuck.promise : Promise.resolve()),
  );
  await app.start([f], { width: 2 });
  await app.client.send(Array.from({ length: 30 }, () => ({ name: "test/a", data: { key: "stuck" } })));
  await app.client.send({ name: "test/a", data: { key: "free" } });
  await app.until((runs) => runs.some((run) => run.event.data.key === "free" && run.state === "succeeded"));
  stuck.resolve();
  expect(await app.ended(31)).toHaveLength(31);
});

test("a function that hangs does not delay other functions", async () => {
  const stuck = Promise.withResolvers<void>();
  const hangs = app.client.createFunction(
    { id: "hangs", retries: 0, triggers: [{ event: "test/a" }] },
    () => stuck.promise,
  );
  const works = app.client.createFunction({ id: "works", retries: 0, triggers: [{ event: "test/b" }] }, () => null);
  await app.start([hangs, works], { width: 2 });
  await app.client.send(Array.from({ length: 10 }, () => ({ name: "test/a" })));
  await app.client.send({ name: "test/b" });
  const runs = await app.until((all) => all.some((run) => run.functionId === "works" && run.state === "succeeded"));
  expect(runs.filter((run) => run.state === "running")).toHaveLength(2);
  stuck.resolve();
  await app.ended(11);
});
