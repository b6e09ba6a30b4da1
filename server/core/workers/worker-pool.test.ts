import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { bundle } from "@/scripts/build/bundle.mjs";
import { log } from "@/server/core/log";
import { runChild } from "@/server/testing/child";
import type { TestJob } from "./testing/jobs";
import { WorkerPool, type PoolOptions } from "./worker-pool";

let folder: string;
beforeAll(async () => {
  // Inside the project, so that packages resolve.
  folder = await mkdtemp(join(process.cwd(), "node_modules/.workers-"));
  await bundle(["server/core/workers/testing/jobs.ts"], folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pools: WorkerPool<TestJob, unknown>[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));

function poolOf(options: Partial<PoolOptions> = {}, atOnce = 1): WorkerPool<TestJob, unknown> {
  const turns = { doing: "jobs are done", atOnce, each: 4, all: 8, waitMs: 60_000 };
  const entry = join(folder, "jobs.mjs");
  const pool = new WorkerPool<TestJob, unknown>({
    entry,
    memoryMb: 64,
    jobMs: 60_000,
    idleMs: 60_000,
    turns,
    ...options,
  });
  pools.push(pool);
  return pool;
}

/** Options to poll for the end of a process, which takes long on a busy machine. */
const soon = { timeout: 20_000 };

const isRunning = (pid: unknown) => {
  try {
    return process.kill(pid as number, 0);
  } catch {
    return false;
  }
};

it("does jobs in up to atOnce processes, and reuses them", async () => {
  const pool = poolOf({}, 2);
  expect(pool.counts).toEqual({ active: 0, waiting: 0, processes: 0 });
  const pids = await Promise.all(["a", "b", "c", "d"].map((caller) => pool.run({ caller }, { do: "pid" })));
  expect(new Set(pids).size).toBe(2);
  expect(pids).not.toContain(process.pid);
  const bytes = new Uint8Array([1, 2, 3]);
  const at = new Date(0);
  expect(await pool.run({ caller: "a" }, { do: "echo", what: { bytes, at, none: undefined } })).toEqual({ bytes, at });
  expect(pool.counts).toEqual({ active: 0, waiting: 0, processes: 2 });
});

it("does not pass its environment to a worker process", async () => {
  const environment = (await poolOf().run({ caller: "a" }, { do: "environment" })) as object;
  expect(Object.keys(environment)).not.toContain("DATABASE_URL");
  expect(Object.keys(environment)).not.toContain("BONAFIDE_SECRET");
});

it("ends a job that takes too long without delaying others, and does the next one in a new process", async () => {
  const pool = poolOf({ jobMs: 2_000 }, 2);
  const before = await pool.run({ caller: "b" }, { do: "pid" });
  const done: string[] = [];
  const spinning = pool.run({ caller: "a" }, { do: "spin" }).catch((error: unknown) => {
    done.push("spin");
    return error;
  });
  for (const what of [1, 2, 3]) {
    await pool.run({ caller: "b" }, { do: "echo", what });
    done.push(`echo ${what}`);
  }
  expect(await spinning).toMatchObject({ name: "WorkerEnded", because: "time" });
  expect(done).toEqual(["echo 1", "echo 2", "echo 3", "spin"]);
  expect(pool.ended).toEqual({ time: 1, crash: 0 });
  expect(isRunning(before)).toBe(false);
  expect(await pool.run({ caller: "a" }, { do: "echo", what: "next" })).toBe("next");
});

it.each(["objects", "map", "array", "json"] as const)(
  "survives a job that fills the memory with %s, and does the next one",
  async (kind) => {
    const pool = poolOf();
    await expect(pool.run({ caller: "a" }, { do: kind })).rejects.toMatchObject({
      name: "WorkerEnded",
      because: "crash",
    });
    expect(await pool.run({ caller: "a" }, { do: "echo", what: "next" })).toBe("next");
    expect(pool.ended).toEqual({ time: 0, crash: 1 });
    expect(pool.counts.processes).toBe(1);
  },
);

it("reports that a process ended by itself, and does waiting jobs in another one", async () => {
  const pool = poolOf();
  const [first, second] = await Promise.allSettled([
    pool.run({ caller: "a" }, { do: "exit" }),
    pool.run({ caller: "b" }, { do: "echo", what: "b" }),
  ]);
  expect(first).toMatchObject({ status: "rejected", reason: { because: "crash" } });
  expect(second).toMatchObject({ value: "b" });
});

it("reports the error of a job that threw, and keeps its process", async () => {
  const pool = poolOf();
  const pid = await pool.run({ caller: "a" }, { do: "pid" });
  await expect(pool.run({ caller: "a" }, { do: "throw" })).rejects.toThrow(/TypeError: a fault of ours/);
  expect(await pool.run({ caller: "a" }, { do: "pid" })).toBe(pid);
  expect(pool.ended).toEqual({ time: 0, crash: 0 });
});

it("is unavailable if no process can be started", async () => {
  const pool = poolOf({ entry: join(folder, "missing.mjs") });
  await expect(pool.run({ caller: "a" }, { do: "pid" })).rejects.toMatchObject({
    code: "unavailable",
    extras: { headers: { "retry-after": "5" } },
  });
  expect(pool.counts).toEqual({ active: 0, waiting: 0, processes: 0 });
});

it("refuses jobs above a caller's share, and above the limit of waiting jobs", async () => {
  const pool = poolOf({ turns: { doing: "jobs are done", atOnce: 1, each: 2, all: 2, waitMs: 60_000 } });
  const taken = ["a", "a", "b"].map((caller) => pool.run({ caller }, { do: "spin" }).catch(() => undefined));
  await expect(pool.run({ caller: "a" }, { do: "pid" })).rejects.toMatchObject({ code: "rate_limited" });
  await expect(pool.run({ caller: "c" }, { do: "pid" })).rejects.toMatchObject({ code: "unavailable" });
  expect(pool.counts).toMatchObject({ active: 1, waiting: 2 });
  await expect
    .poll(async () => {
      await pool.stop();
      return pool.counts.active;
    }, soon)
    .toBe(0);
  await Promise.all(taken);
});

it("ends idle processes after a while, and all of them when it stops", async () => {
  const short = poolOf({ idleMs: 1 });
  const idle = await short.run({ caller: "a" }, { do: "pid" });
  await expect.poll(() => [short.counts.processes, isRunning(idle)], soon).toEqual([0, false]);
  const pool = poolOf();
  const pid = await pool.run({ caller: "a" }, { do: "pid" });
  await pool.stop();
  expect([pool.counts.processes, isRunning(pid)]).toEqual([0, false]);
});

it("does the jobs of a caller whose job was ended after those of others, and names it in the log", async () => {
  const warned = vi.spyOn(log(), "warn").mockImplementation(() => undefined);
  const pool = poolOf();
  await expect(
    pool.run({ caller: "192.0.2.0/24", isAnonymous: true, requestId: "req_1" }, { do: "exit" }),
  ).rejects.toMatchObject({ because: "crash" });
  expect(warned.mock.calls.map(([facts]) => facts)).toEqual([
    expect.objectContaining({ caller: "192.0.2.0/24", requestId: "req_1", because: "crash" }),
  ]);
  warned.mockRestore();
  const done: string[] = [];
  const run = (caller: string, isAnonymous: boolean) =>
    pool.run({ caller, isAnonymous }, { do: "pid" }).then(() => done.push(caller));
  await Promise.all([run("b", false), run("192.0.2.0/24", true), run("c", true), run("d", false)]);
  expect(done).toEqual(["b", "d", "c", "192.0.2.0/24"]);
});

it("builds a job's input only when its turn has come", async () => {
  const pool = poolOf();
  const made: number[] = [];
  const gate = Promise.withResolvers<void>();
  const run = (what: number, until: Promise<void>) =>
    pool.run({ caller: "a" }, async () => {
      made.push(what);
      await until;
      return { do: "echo", what };
    });
  const jobs = [run(1, gate.promise), run(2, Promise.resolve())];
  await expect.poll(() => made).toEqual([1]);
  gate.resolve();
  expect(await Promise.all(jobs)).toEqual([1, 2]);
  expect(made).toEqual([1, 2]);
});

it("leaves no worker process behind when the parent is killed", async () => {
  const parent = await runChild("server/core/workers/testing/parent.ts", [join(folder, "jobs.mjs")]);
  const pid = Number(await parent.line());
  expect(isRunning(pid)).toBe(true);
  await parent.kill();
  await expect.poll(() => isRunning(pid), soon).toBe(false);
});
