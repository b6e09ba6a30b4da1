import { afterAll, afterEach, expect, test, vi } from "vitest";
import { closeDb, pool } from "@/server/core/db";
import { DrivenClock, TestApp } from "../testing/app";

let app = new TestApp();
afterEach(async () => {
  await app.stop();
  app = new TestApp();
});
afterAll(closeDb);

const go = { event: "test/go" };

test("a run queued on a busy engine is taken by another engine without a poll", async () => {
  const busy = Promise.withResolvers<void>();
  let calls = 0;
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [go] }, async () => {
    if (++calls === 1) await busy.promise;
  });
  // With a poll interval of ten minutes, neither engine polls while this test runs.
  await app.start([f], { width: 1, pollMs: 600_000 });
  await app.start([f], { width: 1, pollMs: 600_000 });
  await app.client.send([{ name: "test/go" }, { name: "test/go" }]);
  await app.until((runs) => runs.some((run) => run.state === "succeeded"));
  busy.resolve();
  expect((await app.ended(2)).map((run) => run.state)).toEqual(["succeeded", "succeeded"]);
});

test("the engine wakes when the next run is due", async () => {
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [go] }, ({ step }) =>
    step.sleep("a little", "1s"),
  );
  await app.start([f], { pollMs: 600_000 });
  await app.client.send({ name: "test/go" });
  expect((await app.ended(1)).map((run) => run.state)).toEqual(["succeeded"]);
});

test("stopping waits for a running run to end", async () => {
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [go] }, async () => {
    started.resolve();
    await gate.promise;
    return "ended";
  });
  const engine = await app.start([f]);
  await app.client.send({ name: "test/go" });
  await started.promise;
  const stopped = engine.stop();
  expect((await engine.status()).ready).toBe(false);
  gate.resolve();
  await stopped;
  expect(await app.runs()).toMatchObject([{ state: "succeeded", output: "ended" }]);
});

test("stopping gives back runs that do not end in time, between steps or within one, and another engine continues them", async () => {
  const inStep = Promise.withResolvers<void>();
  const atEnd = Promise.withResolvers<void>();
  let second = 0;
  const hangs = app.client.createFunction({ id: "hangs", retries: 0, triggers: [go] }, async () => {
    inStep.resolve();
    if (second === 0) await new Promise(() => undefined);
    return "hung once";
  });
  const steps = app.client.createFunction({ id: "steps", retries: 0, triggers: [go] }, async ({ step }) => {
    await step.run("first", async () => {
      await atEnd.promise;
    });
    return step.run("second", () => ++second);
  });
  const engine = await app.start([hangs, steps], { drainMs: 50 });
  await app.client.send({ name: "test/go" });
  await inStep.promise;
  await app.until((runs) => runs.every((run) => run.state === "running"));
  const stopped = engine.stop();
  atEnd.resolve();
  await stopped;
  expect((await app.runs()).map(({ state, lapses }) => ({ state, lapses }))).toEqual([
    { state: "queued", lapses: 0 },
    { state: "queued", lapses: 0 },
  ]);
  second = 1;
  await app.start([hangs, steps]);
  expect((await app.ended(2)).map((run) => run.output).toSorted()).toEqual([2, "hung once"]);
});

test("an engine that lost its lease writes nothing more to the run", async () => {
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const clock = new DrivenClock();
  let calls = 0;
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [go] }, async () => {
    const call = ++calls;
    if (call > 1) return "second";
    started.resolve();
    await gate.promise;
    return "first";
  });
  // The first engine extends its leases too rarely to matter here, like a process that is suspended.
  const first = await app.start([f], { now: clock.now, leaseMs: 600_000 });
  await app.client.send({ name: "test/go" });
  await started.promise;
  clock.advance(600_001);
  await app.start([f], { now: clock.now });
  expect(await app.ended(1)).toMatchObject([{ output: "second", lapses: 1 }]);
  gate.resolve();
  await first.stop();
  expect(await app.runs()).toMatchObject([{ state: "succeeded", output: "second" }]);
});

test("the lease of a running run is extended", async () => {
  const gate = Promise.withResolvers<void>();
  let calls = 0;
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [go] }, async () => {
    calls++;
    await gate.promise;
  });
  const lease = async () => {
    const { rows } = await pool().query<{ lease: Date | null }>(
      "SELECT lease_until AS lease FROM engine_runs WHERE function_id = $1",
      [`${app.id}-f`],
    );
    return rows[0]?.lease?.getTime() ?? 0;
  };
  await app.start([f], { leaseMs: 3000 });
  await app.start([f], { leaseMs: 3000 });
  await app.client.send({ name: "test/go" });
  const first = await vi.waitFor(async () => (await lease()) || Promise.reject(new Error("not claimed")), 20_000);
  // A lease that ends three seconds later than the first one can only be an extension.
  await vi.waitFor(async () => expect(await lease()).toBeGreaterThan(first + 3000), { timeout: 20_000 });
  gate.resolve();
  expect(await app.ended(1)).toMatchObject([{ lapses: 0 }]);
  expect(calls).toBe(1);
});

test("a run whose lease lapses again and again fails and runs its onFailure", async () => {
  const clock = new DrivenClock();
  const f = app.client.createFunction(
    { id: "f", retries: 0, triggers: [go], onFailure: ({ error }) => error.message },
    () => null,
  );
  await app.start([f], { now: clock.now });
  await app.client.send({ name: "test/go", ts: Date.now() + 600_000 });
  await pool().query("UPDATE engine_runs SET lapses = 6, due_at = $2 WHERE function_id = $1", [
    `${app.id}-f`,
    clock.now(),
  ]);
  await app.start([f], { now: clock.now });
  const message = "The process that ran this went away 6 times.";
  expect(await app.ended(2)).toMatchObject([
    { state: "failed", error: { message } },
    { functionId: "f-failure", output: message },
  ]);
});

test("failing a run and queueing its onFailure are atomic", async () => {
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [go], onFailure: () => null }, () => {
    throw new Error("down");
  });
  await app.start([f], { leaseMs: 300 });
  const name = `"refuse ${app.id}"`;
  await pool().query(`
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
    CREATE TRIGGER ${name} BEFORE INSERT ON engine_runs FOR EACH ROW WHEN (NEW.function_id = '${app.id}-f-failure') EXECUTE FUNCTION ${name}()`);
  try {
    await app.client.send({ name: "test/go" });
    await app.until(([run]) => run!.lapses > 0);
    expect((await app.runs()).map((run) => run.state)).not.toContain("failed");
  } finally {
    await pool().query(`DROP FUNCTION ${name} CASCADE`);
  }
  expect(await app.ended(2)).toMatchObject([{ state: "failed" }, { functionId: "f-failure", state: "succeeded" }]);
});

test("the status counts queued, running and failed runs and gives the age of the oldest due run", async () => {
  const clock = new DrivenClock(new Date());
  const gate = Promise.withResolvers<void>();
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [go], concurrency: 1 }, async () => {
    await gate.promise;
    throw new Error("down");
  });
  const engine = await app.start([f], { now: clock.now });
  const before = await engine.status();
  await app.client.send([{ name: "test/go" }, { name: "test/go" }]);
  await app.until((runs) => runs.some((run) => run.state === "running"));
  clock.advance(3000);
  const during = await engine.status();
  expect(during).toMatchObject({ mode: "embedded", ready: true });
  expect(during.queued).toBeGreaterThanOrEqual(1);
  expect(during.running).toBeGreaterThanOrEqual(1);
  expect(during.oldestDueSeconds).toBeGreaterThanOrEqual(3);
  gate.resolve();
  await app.ended(2);
  expect((await engine.status()).failed24h).toBeGreaterThanOrEqual(before.failed24h + 2);
});
