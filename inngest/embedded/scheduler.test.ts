import { cron } from "inngest";
import { afterAll, expect, test } from "vitest";
import { closeDb } from "@/server/core/db";
import { DrivenClock, TestApp } from "../testing/app";
import type { EmbeddedEngine } from "./engine";

afterAll(closeDb);

function hourly(app: TestApp) {
  return app.client.createFunction({ id: "hourly", retries: 0, triggers: [cron("0 * * * *")] }, ({ event }) => event);
}

async function reach(clock: DrivenClock, time: string, ...engines: EmbeddedEngine[]): Promise<void> {
  clock.set(time);
  engines.forEach((engine) => engine.wake());
}

test("an hourly cron runs once an hour, with the event that an Inngest server sends", async () => {
  const app = new TestApp();
  const clock = new DrivenClock(new Date("2026-03-01T12:30:00Z"));
  const engine = await app.start([hourly(app)], { now: clock.now });
  expect(await app.runs()).toEqual([]);
  await reach(clock, "2026-03-01T13:00:00Z", engine);
  await app.ended(1);
  await reach(clock, "2026-03-01T14:00:01Z", engine);
  const runs = await app.ended(2);
  expect(runs.map((run) => run.event)).toMatchObject([
    { name: "inngest/scheduled.timer", data: { cron: "0 * * * *" }, ts: Date.parse("2026-03-01T13:00:00Z") },
    { name: "inngest/scheduled.timer", data: { cron: "0 * * * *" }, ts: Date.parse("2026-03-01T14:00:00Z") },
  ]);
  await app.stop();
});

test("ticks missed while no engine ran are made up for by one run, for the last of them", async () => {
  const app = new TestApp();
  const clock = new DrivenClock(new Date("2026-03-01T12:30:00Z"));
  await app.start([hourly(app)], { now: clock.now });
  await app.stop();
  clock.set("2026-03-03T09:20:00Z");
  const engine = await app.start([hourly(app)], { now: clock.now });
  expect(await app.ended(1)).toMatchObject([{ event: { ts: Date.parse("2026-03-03T09:00:00Z") } }]);
  await reach(clock, "2026-03-03T10:00:00Z", engine);
  expect(await app.ended(2)).toHaveLength(2);
  await app.stop();
});

test("each tick is taken by one of several engines", async () => {
  const app = new TestApp();
  const clock = new DrivenClock(new Date("2026-03-01T12:30:00Z"));
  const f = hourly(app);
  const engines = await Promise.all([1, 2, 3, 4].map(() => app.start([f], { now: clock.now })));
  for (let hour = 13; hour < 23; hour++) {
    await reach(clock, `2026-03-01T${hour}:00:00Z`, ...engines);
    const runs = await app.ended(hour - 12);
    expect(runs).toHaveLength(hour - 12);
  }
  await app.stop();
  const ticks = (await app.runs()).map((run) => run.event.ts);
  expect(ticks).toHaveLength(10);
  expect(new Set(ticks).size).toBe(10);
});
