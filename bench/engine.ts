import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { Inngest, type InngestFunction } from "inngest";
import pino from "pino";
import { createEmbeddedEngine } from "@/inngest/embedded";
import type { EmbeddedEngine } from "@/inngest/embedded/engine";
import { pool } from "@/server/core/db";
import type { Benchmark } from "./benchmark";
import { percentile } from "./measure";

/**
 * The embedded engine alone: the time between a commit and its handler when nothing else is running, and the number of
 * runs a second.
 */
export const jobEngine: Benchmark = async function* () {
  const latency = await sendToHandler(300);
  const reference = { name: "round trip of one statement", value: await roundTrip() };
  yield { name: "job engine: send to handler, idle, p50", value: percentile(latency, 0.5), unit: "ms", reference };
  yield { name: "job engine: send to handler, idle, p95", value: percentile(latency, 0.95), unit: "ms" };
  yield { name: "job engine: runs", value: await runsASecond(5000), unit: "runs/s" };
};

async function sendToHandler(times: number): Promise<number[]> {
  let arrived = Promise.withResolvers<void>();
  const name = "bench/signal";
  const { client, engine } = await start(async () => arrived.resolve(), name);
  const latencies: number[] = [];
  for (let i = 0; i < times; i++) {
    const from = performance.now();
    await Promise.all([client.send({ name }), arrived.promise]);
    latencies.push(performance.now() - from);
    // Finishing the run and looking for the next one are not part of the latency.
    await setTimeout(10);
    arrived = Promise.withResolvers<void>();
  }
  await engine.stop();
  return latencies;
}

async function runsASecond(runs: number): Promise<number> {
  let done = 0;
  const all = Promise.withResolvers<void>();
  const name = "bench/event";
  const { client, engine } = await start(async () => {
    if (++done === runs) all.resolve();
  }, name);
  const from = performance.now();
  for (let sent = 0; sent < runs; sent += 500) await client.send(Array.from({ length: 500 }, () => ({ name })));
  await all.promise;
  const seconds = (performance.now() - from) / 1000;
  await engine.stop();
  return runs / seconds;
}

async function start(
  handler: () => Promise<void>,
  event: string,
): Promise<{ client: Inngest; engine: EmbeddedEngine }> {
  const silent = pino({ level: "silent" });
  let engine: EmbeddedEngine | undefined;
  const client = new Inngest({
    id: `bench-${randomUUID()}`,
    isDev: true,
    checkpointing: false,
    logger: silent,
    fetch: (...request) => engine!.fetch(...request),
  });
  const f: InngestFunction.Any = client.createFunction({ id: "f", retries: 0, triggers: [{ event }] }, handler);
  engine = await createEmbeddedEngine({
    client,
    functions: [f],
    pool: pool(),
    signals: new Set(["bench/signal"]),
    log: silent,
  });
  await engine.start();
  return { client, engine };
}

/** Measures the p50 of one round trip: the least that any engine on the database would need. */
async function roundTrip(): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 300; i++) {
    const from = performance.now();
    await pool().query("SELECT 1");
    times.push(performance.now() - from);
  }
  return percentile(times, 0.5);
}
