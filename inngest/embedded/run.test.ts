import { NonRetriableError, RetryAfterError } from "inngest";
import { afterAll, afterEach, expect, test } from "vitest";
import { closeDb } from "@/server/core/db";
import { DrivenClock, TestApp } from "../testing/app";

const apps: TestApp[] = [];
function newApp(): TestApp {
  const app = new TestApp();
  apps.push(app);
  return app;
}
afterEach(() => Promise.all(apps.splice(0).map((app) => app.stop())));
afterAll(closeDb);

const go = { event: "test/go" };

test("a step runs once, later calls get its stored result, and parallel steps are joined", async () => {
  const app = newApp();
  const calls: string[] = [];
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [go] }, async ({ event, step }) => {
    const work = (id: string) => step.run(id, () => (calls.push(id), `${id} of ${event.data.thing}`));
    const first = await work("first");
    const beside = await Promise.all([work("left"), work("right"), step.run("nothing", () => undefined)]);
    return [first, ...beside, await work("last")];
  });
  await app.start([f]);
  await app.client.send({ name: "test/go", data: { thing: 7 } });
  const [run] = await app.ended(1);
  expect(run).toMatchObject({
    state: "succeeded",
    output: ["first of 7", "left of 7", "right of 7", null, "last of 7"],
  });
  expect(calls.toSorted()).toEqual(["first", "last", "left", "right"]);
});

test("a failed function is retried with growing delays, keeps its completed steps, then fails with the error", async () => {
  const app = newApp();
  const clock = new DrivenClock();
  const attempts: number[] = [];
  let before = 0;
  const f = app.client.createFunction({ id: "f", retries: 2, triggers: [go] }, async ({ attempt, step }) => {
    await step.run("before", () => ++before);
    attempts.push(attempt);
    throw new TypeError("not today");
  });
  const engine = await app.start([f], { now: clock.now });
  await app.client.send({ name: "test/go" });
  for (const [attempt, seconds] of [
    [1, 1],
    [2, 3],
  ] as const) {
    const [run] = await app.until(([r]) => r?.attempt === attempt && r.state === "queued");
    const delay = run!.dueAt.getTime() - clock.now().getTime();
    expect(delay).toBeGreaterThanOrEqual(seconds * 800);
    expect(delay).toBeLessThanOrEqual(seconds * 1200);
    clock.advance(delay);
    engine.wake();
  }
  const [run] = await app.ended(1);
  expect(run).toMatchObject({ state: "failed", error: { name: "TypeError", message: "not today" } });
  expect({ attempts, before }).toEqual({ attempts: [0, 1, 2], before: 1 });
});

test("a failing step has attempts of its own, and the function may catch its failure", async () => {
  const app = newApp();
  const clock = new DrivenClock();
  let tried = 0;
  const f = app.client.createFunction({ id: "f", retries: 1, triggers: [go] }, async ({ step }) => {
    const caught = await step
      .run("flaky", () => {
        tried++;
        throw new Error("down");
      })
      .catch((error: Error) => error.message);
    return step.run("after", () => `${caught}, but here`);
  });
  const engine = await app.start([f], { now: clock.now });
  await app.client.send({ name: "test/go" });
  await app.until(([run]) => run?.attempt === 1 && run.state === "queued");
  clock.advance(2000);
  engine.wake();
  expect(await app.ended(1)).toMatchObject([{ state: "succeeded", output: "down, but here", attempt: 0 }]);
  expect(tried).toBe(2);
});

test("of parallel steps, only the failed one is retried", async () => {
  const app = newApp();
  const clock = new DrivenClock();
  const calls: string[] = [];
  const f = app.client.createFunction({ id: "f", retries: 1, triggers: [go] }, async ({ step }) =>
    Promise.all([
      step.run("sound", () => calls.push("sound")),
      step.run("flaky", () => {
        calls.push("flaky");
        if (calls.filter((c) => c === "flaky").length === 1) throw new Error("once");
        return "well";
      }),
    ]),
  );
  const engine = await app.start([f], { now: clock.now });
  await app.client.send({ name: "test/go" });
  await app.until(([run]) => run?.state === "queued" && run.dueAt > clock.now());
  clock.advance(2000);
  engine.wake();
  expect(await app.ended(1)).toMatchObject([{ state: "succeeded", output: [1, "well"] }]);
  expect(calls.toSorted()).toEqual(["flaky", "flaky", "sound"]);
});

test("a RetryAfterError sets the delay before the retry", async () => {
  const app = newApp();
  const clock = new DrivenClock();
  const f = app.client.createFunction({ id: "f", retries: 2, triggers: [go] }, ({ attempt }) => {
    if (attempt === 0) throw new RetryAfterError("busy", "90s");
    if (attempt === 1) throw new RetryAfterError("busy", new Date(clock.now().getTime() + 5000));
    return "done";
  });
  const engine = await app.start([f], { now: clock.now });
  await app.client.send({ name: "test/go" });
  for (const [attempt, delay] of [
    [1, 90_000],
    [2, 5000],
  ] as const) {
    const [run] = await app.until(([r]) => r?.attempt === attempt && r.state === "queued");
    expect(run!.dueAt.getTime() - clock.now().getTime()).toBe(delay);
    clock.advance(delay);
    engine.wake();
  }
  expect(await app.ended(1)).toMatchObject([{ state: "succeeded", output: "done" }]);
});

test("a NonRetriableError is not retried, and onFailure is called with the error and the event", async () => {
  const app = newApp();
  let calls = 0;
  const f = app.client.createFunction(
    {
      id: "f",
      retries: 5,
      triggers: [go],
      onFailure: async ({ error, event, step }) =>
        step.run("tell", () => ({ said: error.message, of: event.data.event.data, by: event.data.function_id })),
    },
    () => {
      calls++;
      throw new NonRetriableError("hopeless");
    },
  );
  await app.start([f]);
  await app.client.send({ name: "test/go", data: { thing: 7 } });
  const [run, failure] = await app.ended(2);
  expect(calls).toBe(1);
  expect(run).toMatchObject({ functionId: "f", state: "failed" });
  expect(failure).toMatchObject({
    functionId: "f-failure",
    state: "succeeded",
    output: { said: "hopeless", of: { thing: 7 }, by: `${app.id}-f` },
  });
});

test("data that does not fit the schema of the event fails without a retry", async () => {
  const app = newApp();
  const { z } = await import("zod");
  const { eventType } = await import("inngest");
  const typed = eventType("test/typed", { schema: z.object({ n: z.number() }) });
  const f = app.client.createFunction({ id: "f", retries: 3, triggers: [typed] }, ({ event }) => event.data.n);
  await app.start([f]);
  await app.client.send({ name: "test/typed", data: { n: "seven" } });
  expect(await app.ended(1)).toMatchObject([{ state: "failed", attempt: 0 }]);
  await app.client.send(typed.create({ n: 7 }));
  expect((await app.ended(2))[1]).toMatchObject({ state: "succeeded", output: 7 });
});

test("a run sleeps, also in parallel with a step, and continues at the set time", async () => {
  const app = newApp();
  const clock = new DrivenClock();
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [go] }, async ({ step }) => {
    const [, quick] = await Promise.all([step.sleep("long", "1h"), step.run("quick", () => "quick")]);
    await step.sleepUntil("until", new Date("2026-03-01T15:00:00Z"));
    return quick;
  });
  const engine = await app.start([f], { now: clock.now });
  await app.client.send({ name: "test/go" });
  for (const wakes of ["2026-03-01T13:00:00.000Z", "2026-03-01T15:00:00.000Z"]) {
    await app.until(([run]) => run?.state === "queued" && run.dueAt.toISOString() === wakes);
    clock.set(wakes);
    engine.wake();
  }
  expect(await app.ended(1)).toMatchObject([{ state: "succeeded", output: "quick" }]);
});

test("step.sendEvent sends its events once, even if the function is retried", async () => {
  const app = newApp();
  const clock = new DrivenClock();
  const first = app.client.createFunction({ id: "first", retries: 1, triggers: [go] }, async ({ attempt, step }) => {
    await step.sendEvent("on", { name: "test/on", data: { from: "first" } });
    if (attempt === 0) throw new Error("after the event");
  });
  const second = app.client.createFunction(
    { id: "second", retries: 0, triggers: [{ event: "test/on" }] },
    ({ event }) => event.data.from,
  );
  const engine = await app.start([first, second], { now: clock.now });
  await app.client.send({ name: "test/go" });
  await app.until((runs) => runs.some((run) => run.attempt === 1 && run.state === "queued"));
  clock.advance(2000);
  engine.wake();
  expect(await app.ended(2)).toMatchObject([
    { functionId: "first", state: "succeeded" },
    { functionId: "second", state: "succeeded", output: "first" },
  ]);
});

test("a step that the engine does not support fails the run and is named in its error", async () => {
  const app = newApp();
  const f = app.client.createFunction({ id: "f", retries: 4, triggers: [go] }, ({ step }) =>
    step.waitForEvent("wait", { event: "test/on", timeout: "1h" }),
  );
  await app.start([f]);
  await app.client.send({ name: "test/go" });
  expect(await app.ended(1)).toMatchObject([
    { state: "failed", error: { name: "EngineError", message: expect.stringContaining("WaitForEvent") } },
  ]);
});

test("a call that does not answer in time is retried", async () => {
  const app = newApp();
  const clock = new DrivenClock();
  const f = app.client.createFunction({ id: "f", retries: 1, triggers: [go] }, async ({ attempt }) => {
    if (attempt === 0) await new Promise(() => undefined);
    return "answered";
  });
  const engine = await app.start([f], { now: clock.now, callMs: 20 });
  await app.client.send({ name: "test/go" });
  const [run] = await app.until(([r]) => r?.attempt === 1 && r.state === "queued");
  expect(run!.error).toMatchObject({ name: "TimeoutError" });
  clock.advance(2000);
  engine.wake();
  expect(await app.ended(1)).toMatchObject([{ state: "succeeded", output: "answered" }]);
});
