import { afterAll, afterEach, expect, test } from "vitest";
import { closeDb } from "@/server/core/db";
import { DrivenClock, TestApp } from "../testing/app";

let app = new TestApp();
afterEach(async () => {
  await app.stop();
  app = new TestApp();
});
afterAll(closeDb);

const hour = 3_600_000;

/** A handler that blocks until `open` is called and counts its calls. */
function gated() {
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  let calls = 0;
  return {
    open: () => gate.resolve(),
    started: started.promise,
    calls: () => calls,
    handler: async () => {
      calls++;
      started.resolve();
      await gate.promise;
    },
  };
}

test("an event starts every function that it triggers, and nothing else", async () => {
  const make = (id: string, event: string) =>
    app.client.createFunction({ id, retries: 0, triggers: [{ event }] }, () => id);
  await app.start([make("one", "test/a"), make("two", "test/a"), make("three", "test/b")]);
  const { ids } = await app.client.send([{ name: "test/a" }, { name: "test/none" }]);
  expect(ids).toHaveLength(2);
  const runs = await app.ended(2);
  expect(runs.map((run) => run.functionId).toSorted()).toEqual(["one", "two"]);
});

test("an event id starts a run at most once in 24 hours", async () => {
  const clock = new DrivenClock();
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [{ event: "test/a" }] }, () => null);
  await app.start([f], { now: clock.now });
  const event = { name: "test/a", id: `${app.id}-once` };
  await Promise.all([1, 2, 3, 4, 5].map(() => app.client.send(event)));
  await app.client.send([event, event]);
  clock.advance(24 * hour);
  await app.client.send(event);
  expect(await app.ended(1)).toHaveLength(1);
  clock.advance(1);
  await app.client.send(event);
  expect(await app.ended(2)).toHaveLength(2);
});

test("an event with a future ts is run at that time", async () => {
  const clock = new DrivenClock();
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [{ event: "test/a" }] }, () => "done");
  const engine = await app.start([f], { now: clock.now });
  await app.client.send({ name: "test/a", ts: Date.now() + hour });
  const [run] = await app.runs();
  expect(run!.state).toBe("queued");
  const wait = run!.dueAt.getTime() - clock.now().getTime();
  expect(wait).toBeGreaterThan(hour - 60_000);
  expect(wait).toBeLessThanOrEqual(hour);
  clock.advance(wait - 1);
  engine.wake();
  // Runs are claimed in the order of their due time, so once this run has ended, the first one was not yet due.
  await app.client.send({ name: "test/a" });
  await app.until((runs) => runs.some((r) => r.state === "succeeded"));
  expect((await app.runs())[0]!.state).toBe("queued");
  clock.advance(1);
  engine.wake();
  expect(await app.ended(2)).toHaveLength(2);
});

test("signals sent while one is queued are dropped; one sent while its run is running is queued", async () => {
  const gate = gated();
  const f = app.client.createFunction(
    { id: "f", retries: 0, triggers: [{ event: "test/look" }], concurrency: 1 },
    gate.handler,
  );
  const options = { signals: new Set(["test/look"]) };
  await app.start([f], options);
  await app.start([f], options);
  await app.client.send({ name: "test/look" });
  await gate.started;
  await app.client.send([{ name: "test/look" }, { name: "test/look" }]);
  for (let i = 0; i < 20; i++) await app.client.send({ name: "test/look" });
  expect((await app.runs()).map((run) => run.state).toSorted()).toEqual(["queued", "running"]);
  gate.open();
  await app.until((runs) => runs.length === 0);
  expect(gate.calls()).toBe(2);
});

test("signals with different data are not coalesced, nor are events that are not signals", async () => {
  const clock = new DrivenClock();
  const gate = gated();
  const f = app.client.createFunction(
    { id: "f", retries: 0, triggers: [{ event: "test/look" }, { event: "test/fact" }], concurrency: 1 },
    gate.handler,
  );
  await app.start([f], { signals: new Set(["test/look"]), now: clock.now });
  await app.client.send({ name: "test/look" });
  await gate.started;
  await app.client.send(
    [1, 2].flatMap((job) => [
      { name: "test/look", data: { job } },
      { name: "test/look", data: { job } },
    ]),
  );
  await app.client.send([{ name: "test/fact" }, { name: "test/fact" }]);
  expect((await app.runs()).filter((run) => run.state === "queued")).toHaveLength(4);
  gate.open();
  await app.until(
    (runs) => runs.length === 2 && runs.every((run) => run.state === "succeeded" && run.event.name === "test/fact"),
  );
});

test("a signal whose run waits for a retry is not run earlier by further signals", async () => {
  const clock = new DrivenClock();
  let calls = 0;
  const f = app.client.createFunction({ id: "f", retries: 1, triggers: [{ event: "test/look" }] }, () => {
    if (++calls === 1) throw new Error("down");
  });
  const engine = await app.start([f], { signals: new Set(["test/look"]), now: clock.now });
  await app.client.send({ name: "test/look" });
  await app.until(([run]) => run?.attempt === 1 && run.state === "queued");
  for (let i = 0; i < 20; i++) await app.client.send({ name: "test/look" });
  expect(await app.runs()).toHaveLength(1);
  clock.advance(2000);
  engine.wake();
  await app.until((runs) => runs.length === 0);
  expect(calls).toBe(2);
});

test("an event over 256 KB is refused with 413, as by an Inngest server", async () => {
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [{ event: "test/a" }] }, () => null);
  const engine = await app.start([f]);
  const send = (bytes: number) =>
    engine.fetch("http://engine/e/key", {
      method: "POST",
      body: JSON.stringify([{ name: "test/a", data: { text: "x".repeat(bytes) }, ts: 0 }]),
    });
  expect((await send(256 * 1024)).status).toBe(413);
  expect((await send(200 * 1024)).status).toBe(200);
  expect((await engine.fetch("http://engine/e/key", { method: "POST", body: '[{"data":{}}]' })).status).toBe(400);
  expect((await engine.fetch("http://engine/elsewhere")).status).toBe(404);
});
