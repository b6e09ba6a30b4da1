import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { nudge } from "@/server/core/nudge";
import { upsertSubject } from "@/server/subjects/upsert";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { Listener } from "@/server/webhooks/testing/listener";
import { startJobThread, type JobThread } from "./start";

let w: World;
let listener: Listener;
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
  w = await world();
  listener = await new Listener().start();
  await createWebhookEndpoint(w.ctx, { url: listener.url(), eventTypes: ["subject.created"] });
});
afterAll(async () => {
  await listener.close();
  await drop();
});

let started: JobThread[] = [];
afterEach(async () => {
  for (const thread of started.splice(0)) await thread.stop();
  vi.unstubAllEnvs();
});
const start = async () => {
  const thread = await startJobThread();
  started.push(thread);
  return thread;
};

let subjects = 0;
/** Commits an event in this thread. */
const happen = () => upsertSubject(w.ctx, { externalId: `s-${++subjects}` });

const ready = { mode: "embedded", ready: true, problem: null };

it("numbers and delivers what another thread commits, and tells its status and figures", async () => {
  const thread = await start();
  await happen();
  expect(await listener.until(1)).toHaveLength(1);
  expect(await thread.status()).toMatchObject(ready);
  const { connections, failedJobs, securityEvents } = await thread.figures();
  expect(connections.queues.active + connections.queues.idle).toBeGreaterThan(0);
  expect([failedJobs, securityEvents]).toEqual([new Map(), new Map()]);
});

it("is restarted where it crashes, and finds what was committed meanwhile", async () => {
  const thread = await start();
  const received = listener.received.length;
  // The thread throws at a topic that it does not know.
  nudge("unknown" as never);
  await vi.waitFor(async () => expect(await thread.status()).toMatchObject({ ready: false }), { timeout: 20_000 });
  expect(await thread.status()).toMatchObject({ problem: "the job thread does not answer" });
  await expect(thread.figures()).rejects.toThrow("does not answer");
  await happen();
  expect(await listener.until(received + 1)).toHaveLength(received + 1);
  expect(await thread.status()).toMatchObject(ready);
});

it("leaves no connection behind when it stops, also between a crash and its restart", async () => {
  const url = new URL(process.env["DATABASE_URL"]!);
  url.searchParams.set("application_name", "thread of jobs");
  const connections = async () =>
    (await sql("SELECT FROM pg_stat_activity WHERE application_name = $1", ["thread of jobs"])).length;
  vi.stubEnv("DATABASE_URL", url.href);
  const first = await startJobThread();
  expect(await connections()).toBeGreaterThan(0);
  await first.stop();
  expect(await connections()).toBe(0);
  const second = await startJobThread();
  nudge("unknown" as never);
  await vi.waitFor(async () => expect(await second.status()).toMatchObject({ ready: false }), { timeout: 20_000 });
  await second.stop();
  // PostgreSQL notices a moment later that the crashed thread's connections have ended.
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 20_000 });
});

it("fails to start where its engine does", async () => {
  vi.stubEnv("DATABASE_URL", "postgresql://127.0.0.1:1/nothing");
  await expect(startJobThread()).rejects.toThrow("ECONNREFUSED");
});

it.runIf(process.platform === "linux")("yields to the main thread", async () => {
  const ownNiceValue = getPriority();
  /** How many threads of this process yield to it (proc_pid_stat(5), field 19). */
  const yielding = () =>
    readdirSync("/proc/self/task").filter((thread) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]) === ownNiceValue + 5;
    }).length;
  const before = yielding();
  await start();
  expect(yielding()).toBeGreaterThan(before);
});
