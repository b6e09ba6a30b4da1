import { cron } from "inngest";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ownServer, type OwnServer } from "@/server/testing/own-server";
import { sql } from "@/server/testing/sql";
import { DrivenClock, TestApp } from "../testing/app";

let postgres: OwnServer;
beforeAll(async () => {
  postgres = await ownServer();
});
afterAll(() => postgres.close());

// Polls and ends of leases do not occur within the test, so neither can hide a fault.
const never = 3_600_000;

it.each(["fast", "immediate"] as const)(
  "after PostgreSQL is restarted (%s), the interrupted run is run again, other engines are heard, and the cron continues",
  async (mode) => {
    const app = new TestApp();
    const clock = new DrivenClock();
    const running = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let calls = 0;
    const work = app.client.createFunction({ id: "work", retries: 0, triggers: [{ event: "test/work" }] }, async () => {
      calls++;
      running.resolve();
      await gate.promise;
      return "done";
    });
    const tick = app.client.createFunction({ id: "tick", retries: 0, triggers: [cron("* * * * *")] }, () => "ticked");
    const options = { now: clock.now, pollMs: never, leaseMs: never };
    await app.start([work, tick], options);
    // Takes no runs itself (width 0). The client sends through this engine, so the first must be notified.
    await app.start([work, tick], { ...options, width: 0 });
    await app.client.send({ name: "test/work" });
    await running.promise;
    await postgres.stop(mode);
    gate.resolve();
    await postgres.start();
    expect(await app.ended(1)).toMatchObject([{ functionId: "work", state: "succeeded", attempt: 0 }]);
    expect(calls).toBe(2);

    await vi.waitFor(
      async () => expect(await sql(`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN %'`)).toHaveLength(2),
      { timeout: 10_000, interval: 20 },
    );
    await app.client.send({ name: "test/work" });
    expect(await app.ended(2)).toMatchObject([{}, { functionId: "work", state: "succeeded" }]);
    clock.advance(60_000);
    await app.client.send({ name: "test/work" });
    const runs = await app.ended(4);
    expect(runs.map((run) => run.functionId).sort()).toEqual(["tick", "work", "work", "work"]);
    await app.stop();
  },
);

it("an engine can be stopped while PostgreSQL is down", async () => {
  const app = new TestApp();
  const running = Promise.withResolvers<void>();
  const hangs = app.client.createFunction({ id: "hangs", retries: 0, triggers: [{ event: "test/hang" }] }, async () => {
    running.resolve();
    await new Promise(() => undefined);
  });
  await app.start([hangs], { drainMs: 1 });
  await app.client.send({ name: "test/hang" });
  await running.promise;
  await postgres.stop("fast");
  await expect(app.stop()).resolves.not.toThrow();
  await postgres.start();
});
